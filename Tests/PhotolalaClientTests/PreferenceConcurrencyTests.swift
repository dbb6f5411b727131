import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("Preferences with concurrent changes") struct PreferenceConcurrencyTests {
    private static let other = UserID(uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))

    private static func with(
        _ held: FakeProfileEndpoint = FakeProfileEndpoint(), more: [String: [FakeServer.Response]] = [:],
        _ test: (ClientFixture, PhotolalaSession, PhotolalaPreferences) async throws -> Void
    ) async throws {
        try await ClientFixture.with(held.script.merging(more) { $1 }) { fixture in
            let session = try await fixture.signedIn()
            let preferences = PhotolalaPreferences(session: session, profile: try ProfileDirectory(fixture.folder))
            try await test(fixture, session, preferences)
        }
    }

    @Test("an account that signs in during a synchronization receives nothing from the previous one")
    func anotherPerson() async throws {
        let held = FakeProfileEndpoint()
        let signIns = [
            "POST /auth/signin": [ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(user: Self.other)],
            "POST /auth/signout": [FakeServer.nothing],
        ]
        try await Self.with(held, more: signIns) { fixture, session, preferences in
            try await preferences.set("theme", to: .text("dark"))
            held.beforeNextRead {
                try await session.signOut()
                try await session.signIn(ClientFixture.credential)
            }
            _ = try? await preferences.synchronize()
            #expect(fixture.server.requests("/users/\(Self.other)/profile").isEmpty)
            let theirs = try await preferences.all()
            #expect(theirs.isEmpty)
        }
    }

    @Test("of two concurrent synchronizations of one device, the slower one restores no old value")
    func twice() async throws {
        let held = FakeProfileEndpoint()
        try await Self.with(held) { _, _, preferences in
            try await preferences.set("x", to: .number(1))
            _ = try await preferences.synchronize()
            held.beforeNextRead {
                try await preferences.set("x", to: .number(9))
                _ = try await preferences.synchronize()
            }
            let slow = try await preferences.synchronize()
            #expect(slow.overruled.isEmpty)
            let now = try await preferences.value(of: "x")
            #expect(now == .number(9))
            try await preferences.set("x", to: .number(0))
            _ = try await preferences.synchronize()
            #expect(held.profile.preferences == ["x": .number(0)])
        }
    }

    @Test("restoring an old profile does not revert preferences with a newer timestamp")
    func olderCopy() async throws {
        let held = FakeProfileEndpoint()
        try await Self.with(held) { _, _, preferences in
            try await preferences.set("x", to: .number(1))
            _ = try await preferences.synchronize()
            let old = held.profile
            try await preferences.set("x", to: .number(2))
            try await preferences.set("y", to: .number(3))
            _ = try await preferences.synchronize()
            held.write {
                $0 = old
                $0.displayName = "Robert"
            }
            _ = try await preferences.synchronize()
            #expect(held.profile.preferences == ["x": .number(2), "y": .number(3)])
            #expect(held.profile.displayName == "Robert")
        }
    }

    @Test("a device that synchronizes before it sets a value supersedes earlier changes")
    func newDevice() async throws {
        let held = FakeProfileEndpoint()
        try await Self.with(held) { fixture, _, first in
            for name in ["a", "b", "c"] { try await first.set(name, to: .number(1)) }
            _ = try await first.synchronize()
            let laptop = ClientFixture(
                folder: fixture.folder.appendingPathComponent("2"), server: fixture.server, clock: fixture.clock)
            let second = PhotolalaPreferences(
                session: try await laptop.signedIn(), profile: try ProfileDirectory(laptop.folder))
            _ = try await second.synchronize()
            try await second.set("a", to: .number(2))
            let end = try await second.synchronize()
            #expect(end.overruled.isEmpty && held.profile.preferences?["a"] == .number(2))
        }
    }

    @Test("a preference beyond the limit is rejected, and local changes that do not fit do not block remote ones")
    func tooMany() async throws {
        let held = FakeProfileEndpoint()
        let refused: FakeServer.Response = FakeServer.problem(.invalidRequest, 400)
        try await Self.with(held, more: ["PUT /users/\(ClientFixture.user)/profile": [refused]]) { _, _, preferences in
            let excess = await #expect(throws: PhotolalaError.self) {
                try await preferences.set("long", to: .text(String(repeating: "x", count: 10_001)))
            }
            #expect(excess?.code == .invalidRequest)
            for number in 0..<100 { try await preferences.set("p\(number)", to: .number(1)) }
            let failure = await #expect(throws: PhotolalaError.self) {
                try await preferences.set("p100", to: .number(1))
            }
            #expect(failure?.code == .invalidRequest)
            held.write {
                $0.preferences = ["theme": .text("dark")]
                $0.preferenceChanges = ["theme": "1@0a1b2c3d"]
            }
            let refusal = await #expect(throws: PhotolalaError.self) { try await preferences.synchronize() }
            #expect(refusal?.code == .invalidRequest)
            let theme = try await preferences.value(of: "theme")
            #expect(theme == .text("dark"))
            let all = try await preferences.all()
            #expect(all.count == 101 && all.count { $0.isWaiting } == 100)
        }
    }

    @Test("without a scope, a preference is changed in the scope of its effective value")
    func scope() async throws {
        try await Self.with { _, _, preferences in
            try await preferences.set("theme", to: .text("dark"), for: .allDevices)
            try await preferences.set("theme", to: .text("light"), for: .thisDevice)
            try await preferences.set("theme", to: nil)
            let theme = try await preferences.value(of: "theme")
            #expect(theme == .text("dark"))
            try await preferences.set("autoBackup", to: .bool(true), for: .allDevices)
            try await preferences.set("autoBackup", to: nil)
            let autoBackup = try await preferences.value(of: "autoBackup")
            #expect(autoBackup == nil)
        }
    }

    @Test("preferences set before a sign-in are adopted once, by the next account only")
    func adoption() async throws {
        let signIns = [
            "POST /auth/signin": [ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer(user: Self.other)],
            "POST /auth/signout": [FakeServer.nothing],
        ]
        try await ClientFixture.with(FakeProfileEndpoint().script.merging(signIns) { $1 }) { fixture in
            let session = try fixture.session()
            let preferences = PhotolalaPreferences(session: session, profile: try ProfileDirectory(fixture.folder))
            try await preferences.set("theme", to: .text("dark"))
            let kept = fixture.folder.appendingPathComponent("preferences.json")
            let bytes = try Data(contentsOf: kept)
            try await session.signIn(ClientFixture.credential)
            try await preferences.set("theme", to: .text("light"))
            // Simulates a power failure between the adoption and the removal of the file.
            #expect(
                FileManager.default.createFile(
                    atPath: kept.path, contents: bytes, attributes: [.posixPermissions: 0o600]))
            let theme = try await preferences.value(of: "theme")
            #expect(theme == .text("light"))
            try await session.signOut()
            try await session.signIn(ClientFixture.credential)
            let theirs = try await preferences.all()
            #expect(theirs.isEmpty)
        }
    }

    @Test("a timestamp with the maximum counter does not block later changes")
    func lastStamp() async throws {
        let held = FakeProfileEndpoint()
        held.write {
            $0.preferences = ["z": .number(1)]
            $0.preferenceChanges = ["z": "4503599627370495@ffffffff"]
        }
        try await Self.with(held) { _, _, preferences in
            _ = try await preferences.synchronize()
            for value in [true, false, true] {
                try await preferences.set("a", to: .bool(value))
                _ = try await preferences.synchronize()
                #expect(held.profile.preferences?["a"] == .bool(value))
            }
            try await preferences.set("z", to: nil)
            _ = try await preferences.synchronize()
            #expect(held.profile.preferences?["z"] == nil)
        }
    }
}
