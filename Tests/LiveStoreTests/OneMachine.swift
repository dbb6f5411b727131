import AWSServices
import Foundation
import HTTPListener
import Logging
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import SigV4
import StorageAccess
import StorageGateway
import Transport

/// The S3 endpoint of one machine on loopback, over a store in memory.
struct OneMachine {
    private struct EverySession: StorageSessionCheck {
        func access(of session: SealedStorageSession) async throws -> StorageAccessLevel? { session.access }
    }

    private static let settings = StorageGatewaySettings(bucket: "photolala-test", region: "us-east-1")

    let user = UserID(uuid: UUID())
    private let keyRing: KeyRing
    private let endpoint: String
    private let transport: AsyncHTTPTransport

    /// Runs an endpoint for as long as `body` takes.
    static func run(_ body: (OneMachine) async throws -> Void) async throws {
        guard let key = MasterKey(id: "k1", bytes: Data(repeating: 7, count: 32)) else {
            throw ConformanceFailure("no master key")
        }
        let keyRing = KeyRing(current: key)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let service = buildStorageGateway(
            settings: settings, store: MemoryObjectStore(now: { Date() }), keyRing: keyRing, sessions: EverySession(),
            now: { Date() }, randomness: .system, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) }
        )
        let running = Task { try await service.run() }
        let transport = AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do {
            var port = 0
            for await each in ports {
                port = each
                break
            }
            let endpoint = "http://127.0.0.1:\(port)"
            result = .success(try await body(OneMachine(keyRing: keyRing, endpoint: endpoint, transport: transport)))
        } catch {
            result = .failure(error)
        }
        try? await transport.shutdown()
        running.cancel()
        _ = await running.result
        try result.get()
    }

    private init(keyRing: KeyRing, endpoint: String, transport: AsyncHTTPTransport) {
        self.keyRing = keyRing
        self.endpoint = endpoint
        self.transport = transport
    }

    /// The store as the user's device has it, with credentials as the service issues them.
    func store(access: StorageAccessLevel = .readWrite) async throws -> S3ObjectStore {
        let issuer = SealedCredentialIssuer(
            endpoint: endpoint, region: Self.settings.region, bucket: Self.settings.bucket, keyRing: keyRing,
            randomness: .system
        )
        let device = DeviceID(uuid: UUID())
        let issued = try await issuer.issue(
            StorageGrant(
                user: user, device: device, session: SessionID(uuid: UUID()), access: access, expiresAt: Date() + 3600
            )
        )
        guard let settings = S3Settings(endpoint: issued.endpoint, region: issued.region, bucket: issued.bucket) else {
            throw ConformanceFailure("settings")
        }
        let credentials = AWSCredentials(
            accessKeyID: issued.accessKeyID, secretAccessKey: issued.secretAccessKey, sessionToken: issued.sessionToken
        )
        return .live(settings, credentials, transport)
    }
}
