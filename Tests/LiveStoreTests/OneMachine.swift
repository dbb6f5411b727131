import AWSServices
import Foundation
import HTTPListener
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Secrets
import StorageAccess
import StorageGateway
import Transport

/// The one-machine S3 endpoint on loopback, over a store in memory.
struct OneMachine: Sendable {
    private struct EverySession: StorageSessionCheck {
        func entitlement(of session: SealedStorageSession) async throws -> StorageEntitlement? {
            StorageEntitlement(access: session.access, storageLimit: 1 << 40)
        }
    }

    private static let settings = StorageGatewaySettings(bucket: "photolala-test", region: "us-east-1")

    let user = UserID(uuid: UUID())
    /// The store that the endpoint serves.
    let objects: MemoryObjectStore
    let raw: RawClient
    private let keyRing: KeyRing

    /// Runs an endpoint for the duration of `body`.
    static func run(_ body: (OneMachine) async throws -> Void) async throws {
        guard let key = MasterKey(id: "k1", bytes: Data(repeating: 7, count: 32)) else {
            throw ConformanceFailure("no master key")
        }
        let keyRing = KeyRing(current: key)
        let objects = MemoryObjectStore(now: { Date() })
        try await withListening { isUp in
            buildStorageGateway(
                settings: settings, store: objects, keyRing: keyRing, sessions: EverySession(), metrics: .none,
                now: { Date() }, randomness: .system,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onServerRunning: isUp
            )
        } _: { port in
            let transport = AsyncHTTPTransport()
            let raw = RawClient(endpoint: "http://127.0.0.1:\(port)", bucket: settings.bucket, transport: transport)
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(OneMachine(objects: objects, raw: raw, keyRing: keyRing)))
            } catch {
                result = .failure(error)
            }
            try? await transport.shutdown()
            try result.get()
        }
    }

    private init(objects: MemoryObjectStore, raw: RawClient, keyRing: KeyRing) {
        self.objects = objects
        self.raw = raw
        self.keyRing = keyRing
    }

    /// The issuer of users' credentials, as the service uses it.
    var issuer: SealedCredentialIssuer {
        SealedCredentialIssuer(
            endpoint: raw.endpoint, region: Self.settings.region, bucket: Self.settings.bucket, keyRing: keyRing,
            randomness: .system
        )
    }

    /// Returns the store as the user's device uses it, with credentials from the service's issuer.
    func store(access: StorageAccessLevel = .readWrite) async throws -> S3ObjectStore {
        let credentials = try await credentials(of: user, access)
        guard let settings = S3Settings(endpoint: raw.endpoint, region: Self.settings.region, bucket: raw.bucket) else {
            throw ConformanceFailure("settings")
        }
        return .live(settings, credentials, raw.transport)
    }
}
