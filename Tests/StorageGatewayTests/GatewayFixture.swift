import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Secrets
import StorageAccess
import Synchronization
import Testing

@testable import StorageGateway

/// A gateway with an in-memory store, two users, and a clock that a test controls.
final class GatewayFixture: Sendable {
    static let ada = UserID(uuid: UUID(uuid: (0xAD, 0xA0, 1, 2, 3, 4, 0x45, 6, 0x87, 8, 9, 10, 11, 12, 13, 14)))
    static let bob = UserID(uuid: UUID(uuid: (0xB0, 0xB0, 1, 2, 3, 4, 0x45, 6, 0x87, 8, 9, 10, 11, 12, 13, 14)))
    static let bucket = "photolala-dev"
    static let start = Date(timeIntervalSince1970: 1_780_000_000)

    let time = SharedClock()
    let sessions = FakeSessionCheck()
    let metrics = MetricRegistry(ServiceMetric.all)
    let store: MemoryObjectStore
    let keyRing: KeyRing
    let randomness = Randomness.seeded(7)
    let settings: StorageGatewaySettings
    private let gateway: GatewayResponder

    init(
        corsOrigins: [String] = [], maxBodySize: Int64 = 64 << 20, host: String = "127.0.0.1",
        minimumBodyRate: MinimumBodyRate = MinimumBodyRate(bytes: 1, interval: .seconds(60)),
        requestsPerAccount: Int = 0,
        requestsPerAddress: Int = 0, hosts: AllowedHosts = .any, logsRequests: Bool = false,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        keyRing = KeyRing(current: try #require(MasterKey(id: "k1", bytes: Data(repeating: 7, count: 32))))
        settings = StorageGatewaySettings(
            bucket: Self.bucket, region: "us-east-1", corsOrigins: corsOrigins, maxBodySize: maxBodySize,
            uploadLifetime: 86_400, minimumBodyRate: minimumBodyRate, requestsPerAccount: requestsPerAccount,
            requestsPerAddress: requestsPerAddress, hosts: hosts, host: host, logsRequests: logsRequests
        )
        let time = time
        store = MemoryObjectStore(now: { time.now })
        gateway = GatewayResponder(
            settings: settings, store: store, keyRing: keyRing, sessions: sessions,
            metrics: ServiceMetrics(factory: metrics), now: { time.now },
            randomness: randomness, logger: logger
        )
    }

    /// The responder for all requests.
    func responder() -> GatewayResponder { gateway }

    func credentials(
        _ user: UserID = GatewayFixture.ada, access: StorageAccessLevel = .readWrite, lifetime: TimeInterval = 3600,
        device: DeviceID = DeviceID(uuid: UUID(uuid: (1, 1, 1, 1, 1, 1, 0x41, 1, 0x81, 1, 1, 1, 1, 1, 1, 1)))
    ) throws -> AWSCredentials {
        let grant = StorageGrant(
            user: user, device: device, session: SessionID(uuid: device.uuid), access: access,
            expiresAt: time.now.addingTimeInterval(lifetime)
        )
        let session = SealedStorageSession(grant, randomness: randomness)
        return AWSCredentials(
            accessKeyID: session.accessKeyID, secretAccessKey: session.secretAccessKey,
            sessionToken: try session.token(keyRing: keyRing, randomness: randomness)
        )
    }

    func put(_ key: String, _ text: String) async throws {
        _ = try await store.put(#require(ObjectKey(key)), ByteBuffer(string: text), if: .always)
    }

    /// Returns content for one of Ada's photos with this many times the charge `StorageCharge.minimum`.
    static func body(_ units: Int, of name: String) -> ByteBuffer {
        let key = StorageLayout.photos(ada) + name
        return ByteBuffer(repeating: 0x61, count: max(0, units * Int(StorageCharge.minimum) - key.utf8.count))
    }

    /// Returns the total charge of Ada's objects, in bytes.
    func stored() async throws -> Int64 {
        try await store.totals(below: AccountQuota.prefixes(of: Self.ada)).values.reduce(0) { $0 + $1.bytes }
    }

    func text(_ key: String) async throws -> String? {
        try await store.get(#require(ObjectKey(key))).map { String(buffer: $0.bytes) }
    }
}

/// The clock shared by store and gateway.
final class SharedClock: Sendable {
    private let state = Mutex(GatewayFixture.start)
    var now: Date { state.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { state.withLock { $0 += seconds } }
    func set(_ date: Date) { state.withLock { $0 = date } }
}

/// A session check whose result a test sets.
final class FakeSessionCheck: StorageSessionCheck {
    struct Unreachable: Error {}
    enum State: Sendable { case live(StorageAccessLevel), ended, unreachable }
    private let mood = Mutex(State.live(.readWrite))

    /// The storage limit of each user, in bytes.
    private let limit = Mutex<Int64>(1 << 40)

    func set(_ mood: State) { self.mood.withLock { $0 = mood } }
    func setLimit(_ bytes: Int64) { limit.withLock { $0 = bytes } }
    /// Sets the limit in units of the minimum charge of an object.
    func setLimit(units: Int) { setLimit(Int64(units) * StorageCharge.minimum) }

    func entitlement(of session: SealedStorageSession) async throws -> StorageEntitlement? {
        switch mood.withLock({ $0 }) {
        case .live(let access): StorageEntitlement(access: access, storageLimit: limit.withLock { $0 })
        case .ended: nil
        case .unreachable: throw Unreachable()
        }
    }
}

extension Randomness {
    static func seeded(_ seed: UInt64) -> Randomness {
        let state = Mutex(seed)
        return Randomness { count in
            state.withLock { state in
                (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 33)
                }
            }
        }
    }
}
