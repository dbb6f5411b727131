import AccountMaintenance
import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import UseCases

/// A store with a manifest, and an operator's snapshot commands on it.
struct SnapshotFixture: Sendable {
    let service: TestService
    /// The store itself, below the wrappers of the service's requests.
    let store: any ObjectStore

    static func make(_ options: TestService.Options = .init()) async throws -> SnapshotFixture {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await TestService.make(options, store: store, clock: clock)
        _ = try await manifest(store, service, options.subjects)
        return SnapshotFixture(service: service, store: store)
    }

    static func manifest(
        _ store: any ObjectStore, _ service: TestService, _ subjects: KeyEncoding.Mode? = nil
    ) async throws -> StoreManifest {
        try await StoreManifest.check(
            store, retry: retry, environment: .dev, subjects: subjects, keyRing: { service.keyRing },
            now: service.clock.now
        )
    }

    static var retry: RetryPolicy {
        RetryPolicy(backoff: Backoff(randomness: .seeded(5)) { _ in await Task.yield() })
    }

    /// Returns the bytes of a snapshot file.
    func snapshot(of store: (any ObjectStore)? = nil) async throws -> Data {
        let file = Mutex(Data())
        let snapshot = StoreSnapshot(
            store: store ?? self.store, keyRing: service.keyRing, now: { service.clock.now },
            report: { key in Issue.record("\(key) is unreadable") }
        )
        _ = try await snapshot.write { (bytes) throws(SnapshotError) in
            file.withLock { $0.append(contentsOf: bytes.readableBytesView) }
        }
        return file.withLock { $0 }
    }

    /// Recovers a snapshot into a store, from chunks as of a file.
    @discardableResult
    func recover(
        _ file: Data, into target: any ObjectStore, environment: DeploymentEnvironment = .dev,
        subjects: KeyEncoding.Mode? = nil, keyRing: KeyRing? = nil, ledger: [Data]? = nil, isDryRun: Bool = false
    ) async throws(SnapshotError) -> RecoveredSnapshot {
        let recovery = SnapshotRecovery(
            store: target, retry: Self.retry, keyRing: keyRing ?? service.keyRing, now: { service.clock.now },
            randomness: .seeded(6))
        return try await recovery.run(environment, subjects, ledger: ledger, isDryRun: isDryRun) {
            () throws(SnapshotError) in
            let rest = Mutex(file[...])
            return { () throws(SnapshotError) in
                rest.withLock { rest in
                    guard !rest.isEmpty else { return nil }
                    let piece = rest.prefix(700)
                    rest = rest.dropFirst(700)
                    return ByteBuffer(bytes: piece)
                }
            }
        }
    }

    /// Returns an instance of the service on another store with the same clock.
    func makeInstance(on store: any ObjectStore, _ options: TestService.Options = .init()) async throws -> TestService {
        var options = options
        options.seed = 77
        return try await .make(options, store: store, clock: service.clock)
    }

    /// Bob with two identities and two devices, Carol with a subject too long for a key, and Eve, who signed out.
    func people() async throws -> (phone: SignedIn, tablet: SignedIn, carol: SignedIn, eve: SignedIn) {
        let phone = try await service.bobWithTwo()
        let tablet = try await service.signIn(.google, "bob", device: 2)
        let carol = try await service.signUp(.apple, Self.longSubject, name: "Carol", device: 3)
        let eve = try await service.signUp(.apple, "eve", device: 4)
        try await service.services.sessions.signOut(accessToken: eve.session.accessToken)
        return (phone, tablet, carol, eve)
    }

    static let longSubject = String(repeating: "long.", count: 50)
}

extension MemoryObjectStore {
    /// Returns every object.
    func contents() async throws -> [String: String] {
        var all: [String: String] = [:]
        for object in try await list(prefix: "", after: nil, limit: 1000).objects {
            all[object.key.description] = try await get(object.key).map { String(buffer: $0.bytes) }
        }
        return all
    }
}

/// Returns a new store in memory.
func emptyStore() -> MemoryObjectStore { MemoryObjectStore { Date(timeIntervalSince1970: 1_790_000_000) } }
