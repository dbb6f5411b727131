import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("Unusable local state") struct UnusableStateTests {
    private static let script = ["POST /auth/signin": [ClientFixture.signedInAnswer()]]

    /// Runs a test with a signed-in profile that has library state.
    private func withDevice(_ test: (ClientFixture, ProfileDirectory) async throws -> Void) async throws {
        try await ClientFixture.with(Self.script) { fixture in
            _ = try await fixture.signedIn()
            let library = fixture.folder.appendingPathComponent("library")
            try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
            try Data("state".utf8).write(to: library.appendingPathComponent("backup.csv"))
            try await test(fixture, try ProfileDirectory(fixture.folder))
            #expect(try Data(contentsOf: library.appendingPathComponent("backup.csv")) == Data("state".utf8))
        }
    }

    private func replace(_ file: String, in fixture: ClientFixture, _ text: String, mode: mode_t = 0o600) throws {
        let place = fixture.folder.appendingPathComponent(file)
        try Data(text.utf8).write(to: place)
        chmod(place.path, mode)
    }

    @Test("usable state is kept")
    func whole() async throws {
        try await withDevice { fixture, profile in
            let device = try profile.device()
            #expect(try profile.forgetUnusable().isEmpty)
            #expect(try profile.device() == device)
            #expect(try await fixture.session().signedInUserID() == ClientFixture.user)
        }
    }

    @Test(
        "a damaged session, a damaged key and a different key are reported and can be removed",
        arguments: [
            ("secrets/session.sealed", "file.AAAA"), ("secrets/session.sealed", ""), ("secrets/key", "junk"),
            ("secrets/key", "file:\(Data(repeating: 9, count: 32).base64EncodedString())"),
        ]
    )
    func damaged(_ file: String, _ text: String) async throws {
        try await withDevice { fixture, profile in
            try replace(file, in: fixture, text)
            await expect(.localStateUnusable) { _ = try await fixture.session().signedInUserID() }
            let device = try profile.device()
            #expect(try profile.forgetUnusable().first?.detail.contains(fixture.folder.path) == true)
            #expect(try profile.forgetUnusable().isEmpty)
            #expect(try await fixture.session().signedInUserID() == nil)
            try await fixture.session().signIn(ClientFixture.credential)
            #expect(try await fixture.session().signedInUserID() == ClientFixture.user)
            #expect(try profile.device() == device)
        }
    }

    @Test("a file that other users can read is removed, too", arguments: ["secrets/session.sealed", "secrets/key"])
    func exposed(_ file: String) async throws {
        try await withDevice { fixture, profile in
            chmod(fixture.folder.appendingPathComponent(file).path, 0o644)
            await expect(.localStateUnusable) { _ = try await fixture.session().signedInUserID() }
            let reasons = try profile.forgetUnusable()
            #expect(reasons.first?.cause?.code == .readableByOthers)
            #expect(try await fixture.session().signedInUserID() == nil)
        }
    }

    @Test("a damaged pending identity is removed and the session is kept")
    func pendingIdentity() async throws {
        try await withDevice { fixture, profile in
            try replace("secrets/pending-identity.sealed", in: fixture, "junk")
            #expect(try profile.forgetUnusable().count == 1)
            #expect(try await fixture.session().pendingIdentity() == nil)
            #expect(try await fixture.session().signedInUserID() == ClientFixture.user)
        }
    }

    @Test("a damaged device description is replaced with a new one")
    func device() async throws {
        try await withDevice { fixture, profile in
            let before = try profile.device()
            try replace("device.json", in: fixture, "{")
            #expect(try profile.forgetUnusable().count == 1)
            #expect(try profile.device().id != before.id)
        }
    }

    @Test("a damaged session in the Keychain and a damaged device description are removed; usable ones stay")
    func keychain() async throws {
        try await ClientFixture.with(Self.script) { fixture in
            let keychain = Keychain()
            let profile = try ProfileDirectory(fixture.folder)
            let session = PhotolalaSession(
                connection: ServiceConnection(
                    server: try ServerAddress("https://photos.example"), transport: fixture.server),
                profile: profile, storage: keychain, now: { ClientFixture.start })
            try await session.signIn(ClientFixture.credential)
            #expect(try profile.forgetUnusable(in: keychain).isEmpty)
            #expect(keychain.load("session") != nil)
            let device = keychain.load("device")
            keychain.save(Data("junk".utf8), as: "session")
            try replace("device.json", in: fixture, "{")
            #expect(try profile.forgetUnusable(in: keychain).count == 2)
            #expect(keychain.load("session") == nil && keychain.load("device") == device)
            #expect(try profile.forgetUnusable(in: keychain).isEmpty)
        }
    }

    @Test("a folder that other users can access is unusable, and nothing is removed without a request")
    func folder() async throws {
        try await withDevice { fixture, _ in
            chmod(fixture.folder.path, 0o755)
            await expect(.localStateUnusable) { _ = try ProfileDirectory(fixture.folder) }
            chmod(fixture.folder.path, 0o700)
            #expect(try ProfileDirectory.restrictAccess(to: fixture.folder).isEmpty)
            let user = try await fixture.session().signedInUserID()
            #expect(user == ClientFixture.user)
        }
    }

    @Test("restricting a folder that other users can access removes its session", arguments: ["", "secrets"])
    func restricted(_ folder: String) async throws {
        try await withDevice { fixture, profile in
            let device = try profile.device()
            let path = fixture.folder.appendingPathComponent(folder).path
            chmod(path, 0o755)
            #expect(try ProfileDirectory.restrictAccess(to: fixture.folder).count == 1)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            #expect(try profile.forgetUnusable().count == 1)
            #expect(try await fixture.session().signedInUserID() == nil)
            try await fixture.session().signIn(ClientFixture.credential)
            #expect(try profile.device() == device)
        }
    }

    @Test(
        "an empty folder that other users can access becomes a private profile, and had no session",
        arguments: ["", "x"])
    func empty(_ file: String) async throws {
        try await ClientFixture.with { fixture in
            let manager = FileManager.default
            try? manager.removeItem(at: fixture.folder)
            try manager.createDirectory(at: fixture.folder, withIntermediateDirectories: true)
            if !file.isEmpty { try Data().write(to: fixture.folder.appendingPathComponent(file)) }
            chmod(fixture.folder.path, 0o755)
            #expect(!ProfileDirectory.hasSecrets(fixture.folder))
            #expect(try ProfileDirectory.restrictAccess(to: fixture.folder).count == file.count)
            let profile = try ProfileDirectory(fixture.folder)
            #expect(try profile.forgetUnusable().isEmpty)
            #expect(ProfileDirectory.hasSecrets(fixture.folder))
        }
    }

    @Test("a session forgets what cannot be read, from any storage", arguments: ["session", "pending-identity"])
    func anyStorage(_ name: String) async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let keychain = Keychain()
            keychain.save(Data("{}".utf8), as: name)
            let session = PhotolalaSession(
                connection: ServiceConnection(
                    server: try ServerAddress("https://photos.example"), transport: fixture.server),
                profile: try ProfileDirectory(fixture.folder), storage: keychain, now: { ClientFixture.start })
            await expect(.localStateUnusable) {
                _ = try await session.signedInUserID()
                _ = try await session.pendingIdentity()
            }
            let reasons = try await session.forgetUnusable()
            #expect(reasons.count == 1)
            try await session.signIn(ClientFixture.credential)
            let kept = try await session.forgetUnusable()
            let user = try await session.signedInUserID()
            #expect(kept.isEmpty && user == ClientFixture.user)
        }
    }

    @Test("a session forgets one of another server without sending anything there")
    func anotherServer() async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            _ = try await fixture.signedIn()
            let elsewhere = try fixture.session(at: "https://other.example")
            await expect(.anotherServer) { try await elsewhere.signIn(ClientFixture.credential) }
            let sent = fixture.server.count
            let reasons = try await elsewhere.forgetUnusable()
            let cause = FailureCause(.sessionOfAnotherServer, ["server": "https://photos.example"])
            #expect(reasons.map(\.cause) == [cause] && fixture.server.count == sent)
            try await elsewhere.signIn(ClientFixture.credential)
            #expect(try await elsewhere.signedInUserID() == ClientFixture.user)
        }
    }
}
