import Foundation
import PhotolalaAPI
import PhotolalaClient
import Secrets
import Transport

/// A separate profile folder, a manual clock and a fake server.
package struct ClientFixture: Sendable {
    package static let start = Date(timeIntervalSince1970: 1_800_000_000)
    package static let user = UserID.bob

    package let folder: URL
    package let server: FakeServer
    package let clock: TestClock

    package init(folder: URL, server: FakeServer, clock: TestClock) {
        (self.folder, self.server, self.clock) = (folder, server, clock)
    }

    /// Runs a test with a temporary fixture.
    package static func with(
        _ script: [String: [FakeServer.Response]] = [:], _ test: (ClientFixture) async throws -> Void
    ) async throws {
        let name = "photolala-client-\(ProcessInfo.processInfo.processIdentifier)-\(Randomness.system.uuid())"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        defer { try? FileManager.default.removeItem(at: folder) }
        let all = ["GET \(usagePath)": [usage()]].merging(script) { _, own in own }
        try await test(ClientFixture(folder: folder, server: FakeServer(all), clock: TestClock(start)))
    }

    /// Returns a session as one process sees it. Call it twice for two processes that share the profile.
    package func session(
        at address: String = "https://photos.example", bindsSessions: Bool = true
    ) throws -> PhotolalaSession {
        let profile = try ProfileDirectory(folder)
        let clock = clock
        return PhotolalaSession(
            connection: ServiceConnection(server: try ServerAddress(address), transport: server), profile: profile,
            storage: try profile.fileSecretStorage(), bindsSessions: bindsSessions, now: { clock.now }
        )
    }

    /// Returns a session that is signed in with `tokens("1")`.
    package func signedIn() async throws -> PhotolalaSession {
        let session = try session()
        try await session.signIn(Self.credential)
        return session
    }

    package static let credential = ProviderCredential(provider: .google, idToken: "id-token")

    package static func tokens(_ name: String, goodFor seconds: TimeInterval = 3600) -> Session {
        Session(
            accessToken: "access-\(name)", accessTokenExpiresAt: start + seconds, refreshToken: "refresh-\(name)",
            refreshTokenExpiresAt: start + 30 * 86_400, deviceID: DeviceID(uuid: user.uuid)
        )
    }

    package static func signedInAnswer(_ tokens: Session = tokens("1"), user: UserID = user) -> FakeServer.Response {
        FakeServer.json(SignedIn(user: account(user), session: tokens))
    }

    package static func account(_ user: UserID = user, name: String? = nil) -> User {
        User(
            serviceUserID: user, primaryProvider: .apple, linkedProviders: [], displayName: name, createdAt: start,
            subscription: Subscription(tier: .free, storageLimit: 5_000_000_000)
        )
    }

    package static func refreshed(_ name: String, goodFor seconds: TimeInterval = 7200) -> FakeServer.Response {
        FakeServer.json(SessionResponse(session: tokens(name, goodFor: seconds)))
    }

    package static let usagePath = "/users/\(user)/usage"

    package static func usage(
        _ used: Int64 = 0, of limit: Int64 = 5_000_000_000, _ access: StorageAccessLevel = .readWrite,
        countedAt: Date = start, _ uploads: UploadMethod? = nil
    ) -> FakeServer.Response {
        FakeServer.json(
            Usage(storageUsed: used, storageCountedAt: countedAt, storageLimit: limit, access: access, uploads: uploads)
        )
    }

    /// Returns the address of a reserved upload of `user`.
    package static func address(of request: UploadRequest, at store: String = "https://s3.example/") -> String {
        let photo = request.photo ?? ""
        let key =
            switch request.kind {
            case .photo: StorageLayout.photo(user, md5: request.md5)
            case .thumbnail: StorageLayout.thumbnail(user, md5: photo)
            case .preview: StorageLayout.preview(user, md5: photo)
            }
        return store + key
    }

    package static let noDevices = FakeServer.json(Devices(devices: []))
}
