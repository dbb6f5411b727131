import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Transport

@testable import PhotolalaUI

/// A device with a real session, a fake server and fake providers.
@MainActor
struct ScreenFixture {
    let client: ClientFixture
    let session: PhotolalaSession
    let providers = FakeProviders()

    /// Runs a test with a signed-in device.
    static func signedIn(
        _ script: [String: [FakeServer.Response]] = [:],
        _ test: @escaping @MainActor @Sendable (ScreenFixture) async throws -> Void
    ) async throws {
        try await with(script) { fixture in
            try await fixture.session.signIn(ClientFixture.credential)
            try await test(fixture)
        }
    }

    /// Runs a test with a device that is not signed in.
    static func with(
        _ script: [String: [FakeServer.Response]] = [:],
        _ test: @escaping @MainActor @Sendable (ScreenFixture) async throws -> Void
    ) async throws {
        let base: [String: [FakeServer.Response]] = [
            "POST /auth/challenge": [
                FakeServer.json(Challenge(challenge: "nonce", expiresAt: ClientFixture.start + 600))
            ],
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "POST /auth/signup": [ClientFixture.signedInAnswer()],
            "POST /auth/reauthenticate": [ClientFixture.refreshed("verified")],
            "GET /auth/linked-accounts": [links(.apple)], "GET \(ClientFixture.usagePath)": [ClientFixture.usage()],
        ]
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photolala-ui-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = ClientFixture(
            folder: folder, server: FakeServer(base.merging(script) { _, own in own }),
            clock: TestClock(ClientFixture.start))
        try await test(ScreenFixture(client: client, session: try client.session()))
    }

    /// The context of a device of Apple's.
    var context: ScreenContext {
        let clock = client.clock
        return ScreenContext(
            account: session, signIns: providers.signIns, native: .apple, now: { clock.now })
    }

    /// Returns the number of requests to a path.
    func count(_ path: String) -> Int { client.server.requests(path).count }

    static func link(
        _ provider: ProviderName, _ number: UInt8 = 1, state: LinkState = .active
    ) -> LinkedProvider {
        LinkedProvider(
            linkID: LinkID(uuid: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), provider: provider,
            email: nil, linkedAt: ClientFixture.start, lastUsedAt: nil, linkMethod: .userInitiated,
            isPrimary: number == 1, state: state)
    }

    static func links(_ providers: ProviderName...) -> FakeServer.Response {
        FakeServer.json(
            LinkedProviders(linkedProviders: providers.enumerated().map { link($1, UInt8($0 + 1)) }))
    }

    static let unreachable: FakeServer.Response = { _ throws(TransportError) in throw .notSent("no network") }
}

extension ScreenFailure {
    /// The code of an SDK error.
    var code: ErrorCode? {
        guard case .service(let error) = self else { return nil }
        return error.code
    }
}
