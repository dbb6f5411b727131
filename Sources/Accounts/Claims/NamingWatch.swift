import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// What one copy of the service knows of the store's stamp: which names identities have now. It reads the stamp again
/// at an interval, outside of requests; an act that comes upon knowledge out of date reads it first.
package final class NamingWatch: Sendable {
    private let stamps: Documents<StoreStamp>
    private let keyRing: KeyRing
    private let pace: MigrationPace
    private let now: @Sendable () -> Date
    private let known: Mutex<(naming: SubjectNaming, readAt: Date)>

    /// - Parameter readAt: a time before the stamp was read.
    package init(
        _ stamp: StoreStamp, readAt: Date, store: any ObjectStore, keyRing: KeyRing, retry: RetryPolicy,
        now: @escaping @Sendable () -> Date
    ) throws(StoreStampError) {
        stamps = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        pace = MigrationPace(stamp.environment)
        known = Mutex((try SubjectNaming(stamp, keyRing: keyRing), readAt))
    }

    /// The names in force. No read, unless what is known is out of date.
    func current() async throws(AccountError) -> SubjectNaming {
        let (naming, readAt) = known.withLock { $0 }
        let age = now().timeIntervalSince(readAt)
        // A clock that was set back tells nothing about the age.
        guard age >= 0, age < pace.trust else { return try await read() }
        return naming
    }

    /// Reads the stamp again. One read.
    /// - Throws: also when the stamp names a master key that this copy was not given, or older layouts are being moved.
    package func refresh() async throws(AccountError) { _ = try await read() }

    private func read() async throws(AccountError) -> SubjectNaming {
        let readAt = now()
        let stamp = try await AccountError.storing { () throws(ObjectStoreError) in
            try await stamps.load(StoreStamp.key)
        }
        guard let stamp else { throw .corrupted("the store's stamp is gone") }
        let naming: SubjectNaming
        do {
            try stamp.value.checkServable()
            naming = try SubjectNaming(stamp.value, keyRing: keyRing)
        } catch {
            throw .unknownNames(error)
        }
        known.withLock { known in
            // What another act read after this one began is newer, unless the clock was set back meanwhile.
            if known.readAt <= readAt || known.readAt > now() { known = (naming, readAt) }
        }
        return naming
    }
}
