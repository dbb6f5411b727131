import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// What was used once and must not be used again: one object each, created only where none is, kept until the thing
/// itself has ended. The keys sort by that time, so that clearing up reads nothing that is still needed.
package struct SpentMarks: Sendable {
    let store: any ObjectStore
    let retry: RetryPolicy

    package init(store: any ObjectStore, retry: RetryPolicy) {
        self.store = store
        self.retry = retry
    }

    /// Marks an id as used. One write.
    /// - Throws: `spent` when it was marked before, by whichever copy of the service.
    func spend(_ id: String, expiresAt: Date, mark: String) async throws(ProofError) {
        let key = ObjectKey(known: StorageLayout.spentMark(expiry: Int(expiresAt.timeIntervalSince1970), id: id))
        let bytes = ByteBuffer(string: mark)
        var last = ObjectStoreError.conflict
        for attempt in 0..<retry.attempts {
            do {
                try await store.put(key, bytes, if: .absent)
                return
            } catch .preconditionFailed {
                guard attempt > 0 else { throw .spent }
                // An earlier try of ours may be what is there: the mark is different for each caller.
                guard try await isThere(bytes, at: key) else { throw .spent }
                return
            } catch .conflict {
                last = .conflict
            } catch .unavailable(let reason) {
                last = .unavailable(reason)
            } catch .outcomeUnknown(let reason) {
                last = .outcomeUnknown(reason)
            } catch {
                throw .store(error)
            }
            await retry.pause(after: attempt)
        }
        throw .store(last)
    }

    private func isThere(_ bytes: ByteBuffer, at key: ObjectKey) async throws(ProofError) -> Bool {
        do {
            return try await store.get(key)?.bytes == bytes
        } catch {
            throw .store(error)
        }
    }

    /// Removes the marks whose time has passed; answers how many.
    package func clearExpired(at now: Date) async throws(ObjectStoreError) -> Int {
        var removed = 0
        while true {
            let page = try await store.list(prefix: StorageLayout.spent, after: nil, limit: 500)
            for object in page.objects {
                let parts = object.key.description.split(separator: "/")
                guard parts.count == 4, let expiry = Int(parts[2]), Double(expiry) < now.timeIntervalSince1970 else {
                    return removed
                }
                try await store.delete(object.key, if: .always)
                removed += 1
            }
            guard page.isTruncated else { return removed }
        }
    }
}
