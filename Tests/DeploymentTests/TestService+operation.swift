import AccountMaintenance
import Accounts
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization

extension TestService {
    /// Performs an operator's commands on a store: a repair with identity bindings to write and to remove, a re-keying
    /// to hashed subjects, a snapshot and its recovery.
    /// - Returns: the requests of the recovery, which has its own store.
    func walkThroughOperation() async throws -> [RecordingObjectStore.Request] {
        let user = try await signUp(.apple, "operated", email: "operated@gmail.com").user.serviceUserID
        _ = try await store.put(
            ObjectKey(known: "identities/apple/nobodys"),
            ByteBuffer(string: "\(user)\n00000000-0000-4000-8000-000000000000\n"),
            if: .absent
        )
        for name in ["identities/apple/operated", "identities/apple/walker"] {
            try await store.delete(ObjectKey(known: name), if: .always)
        }
        clock.advance(by: 3601)
        _ = try await Repair(components.accounts, isDryRun: false) { _ in }.run()
        _ = try await rekeying().apply(to: .hashed)
        _ = try await rekeying().confirm()
        return try await recover(snapshot())
    }

    private func snapshot() async throws -> ByteBuffer {
        let file = Mutex(ByteBuffer())
        let snapshot = StoreSnapshot(store: store, keyRing: keyRing, now: { [clock] in clock.now }, report: { _ in })
        _ = try await snapshot.write { (bytes) throws(SnapshotError) in
            _ = file.withLock { $0.writeImmutableBuffer(bytes) }
        }
        return file.withLock { $0 }
    }

    private func recover(_ file: ByteBuffer) async throws -> [RecordingObjectStore.Request] {
        let target = RecordingObjectStore(MemoryObjectStore { [clock] in clock.now })
        let retry = RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in await Task.yield() })
        let recovery = SnapshotRecovery(
            store: target, retry: retry, keyRing: keyRing, now: { [clock] in clock.now }, randomness: .seeded(6))
        _ = try await recovery.run(.dev, nil, isDryRun: false) { () throws(SnapshotError) in
            let rest = Mutex<ByteBuffer?>(file)
            return { () throws(SnapshotError) in
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        }
        return target.drainRequests()
    }
}
