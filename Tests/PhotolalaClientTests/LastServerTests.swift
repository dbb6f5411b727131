import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("The server of the last sign-in") struct LastServerTests {
    private static let address = "https://photos.example"

    private func lastServer(_ fixture: ClientFixture) throws -> String? {
        try ProfileDirectory(fixture.folder).lastServer
    }

    @Test("a sign-in stores the server, and it stays after a sign-out")
    func signOut() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            #expect(try lastServer(fixture) == nil)
            let session = try await fixture.signedIn()
            try await session.signOut()
            #expect(try lastServer(fixture) == Self.address)
            let profile = try ProfileDirectory(fixture.folder)
            let storage = try profile.fileSecretStorage()
            #expect(try PhotolalaSession.server(of: profile, storage: storage) == nil)
        }
    }

    @Test("the server stays when it ends the session")
    func ended() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "GET /auth/devices": [FakeServer.problem(.sessionEnded, 401)],
            "POST /auth/refresh": [FakeServer.problem(.sessionEnded, 401)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            await expect(.sessionEnded) { _ = try await session.devices() }
            #expect(try await session.signedInUserID() == nil)
            #expect(try lastServer(fixture) == Self.address)
        }
    }

    @Test("a sign-in that finds no account stores the server, and one that is refused does not")
    func pending() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [
                FakeServer.problem(.notAllowed, 403), FakeServer.problem(.noAccountFound, 404, pending: "sealed"),
            ]
        ]) { fixture in
            let session = try fixture.session()
            await expect(.notAllowed) { try await session.signIn(ClientFixture.credential) }
            #expect(try lastServer(fixture) == nil)
            await expect(.noAccountFound) { try await session.signIn(ClientFixture.credential) }
            #expect(try lastServer(fixture) == Self.address)
        }
    }

    @Test("a sign-in at another server replaces the server")
    func another() async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer(), ClientFixture.signedInAnswer()],
            "POST /auth/signout": [FakeServer.nothing],
        ]) { fixture in
            try await fixture.signedIn().signOut()
            try await fixture.session(at: "https://other.example").signIn(ClientFixture.credential)
            #expect(try lastServer(fixture) == "https://other.example")
        }
    }

    @Test("an unusable file is ignored, and the next sign-in replaces it", arguments: [0o600, 0o666] as [mode_t])
    func unusable(mode: mode_t) async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            _ = try ProfileDirectory(fixture.folder)
            let path = fixture.folder.appendingPathComponent("server.json").path
            let text = mode == 0o600 ? "{" : #"{"server":"https://evil.example"}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, mode)
            #expect(try lastServer(fixture) == nil)
            _ = try await fixture.signedIn()
            #expect(try lastServer(fixture) == Self.address)
        }
    }

    @Test(
        "a file that is damaged or a pipe is no server, and no reason to wait",
        arguments: ["nonsense", "", #"{"server":"nonsense"}"#, #"{"server":"https://u:p@photos.example"}"#, nil])
    func unusable(content: String?) async throws {
        try await ClientFixture.with { fixture in
            _ = try ProfileDirectory(fixture.folder)
            let path = fixture.folder.appending(path: "server.json").path
            if let content {
                #expect(
                    FileManager.default.createFile(
                        atPath: path, contents: Data(content.utf8), attributes: [.posixPermissions: 0o600]))
            } else {
                #expect(mkfifo(path, 0o600) == 0)
            }
            #expect(try lastServer(fixture) == nil)
        }
    }
}
