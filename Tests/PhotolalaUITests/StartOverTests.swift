import Foundation
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// The way out of stored state that prevents a sign-in.
@MainActor
@Suite struct StartOverTests {
    @Test("a session of another server is removed after the person starts over")
    func anotherServer() async throws {
        try await ScreenFixture.signedIn { fixture in
            let session = try fixture.client.session(at: "https://other.example")
            try await Self.startOver(fixture, session, .anotherServer)
        }
    }

    @Test("a session that cannot be read is removed after the person starts over")
    func unusable() async throws {
        try await ScreenFixture.signedIn { fixture in
            let file = fixture.client.folder.appendingPathComponent("secrets/session.sealed")
            try Data("junk".utf8).write(to: file)
            chmod(file.path, 0o600)
            try await Self.startOver(fixture, fixture.session, .localStateUnusable)
        }
    }

    private static func startOver(
        _ fixture: ScreenFixture, _ session: PhotolalaSession, _ code: ErrorCode
    ) async throws {
        let model = WelcomeModel(
            ScreenContext(
                account: session, signIns: fixture.providers.signIns, native: .apple, now: { ClientFixture.start }))
        #expect(!model.canStartOver)
        for _ in 1...2 {
            model.load()
            await model.wait()
            guard case .unavailable(let failure) = model.state else {
                Issue.record("not unavailable: \(model.state)")
                return
            }
            #expect(failure.code == code && model.canStartOver)
        }
        model.startOver()
        await model.wait()
        #expect(model.state == .welcome && model.failure == nil)
        model.choose(.signIn)
        model.signIn(with: .apple)
        await model.wait()
        guard case .signedIn = model.state else {
            Issue.record("not signed in: \(model.state)")
            return
        }
    }

    @Test("other failures offer no new start")
    func other() async throws {
        try await ScreenFixture.signedIn { fixture in
            let folder = fixture.client.folder.appendingPathComponent("secrets")
            try FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
            let model = WelcomeModel(fixture.context)
            model.load()
            await model.wait()
            guard case .unavailable = model.state else {
                Issue.record("not unavailable: \(model.state)")
                return
            }
            model.startOver()
            #expect(!model.canStartOver && model.state != .loading)
        }
    }
}
