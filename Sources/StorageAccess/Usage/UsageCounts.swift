import Foundation
import ObjectStorage
import PhotolalaAPI

/// Counts what accounts store, by listing, and keeps the last count. Counting is a job of its own: no request of a
/// user's waits for it.
package struct UsageCounts: Sendable {
    private let documents: Documents<UsageDocument>
    private let now: @Sendable () -> Date

    package init(store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.now = now
    }

    /// The last count, `nil` while nothing that the user stored has been counted. One read.
    package func last(of user: UserID) async throws(ObjectStoreError) -> UsageDocument? {
        try await documents.load(Self.key(user))?.value
    }

    /// Counts the bytes under the user's prefixes and keeps the count, unless there was never anything to count.
    package func count(_ user: UserID) async throws(ObjectStoreError) -> UsageDocument {
        var bytes: Int64 = 0
        var objects = 0
        for prefix in StorageLayout.userPrefixes(user) {
            var after: String?
            repeat {
                let page = try await documents.store.list(prefix: prefix, after: after, limit: 1000)
                bytes += page.objects.reduce(0) { $0 + $1.size }
                objects += page.objects.count
                after = page.isTruncated ? page.objects.last?.key.description : nil
            } while after != nil
        }
        return try await keep(UsageDocument(version: 1, bytes: bytes, objects: objects, countedAt: now()), of: user)
    }

    private func keep(_ count: UsageDocument, of user: UserID) async throws(ObjectStoreError) -> UsageDocument {
        do {
            guard let stored = try await documents.load(Self.key(user)) else {
                // Who never stored anything has no count: the account may be that of a sign-up that has just lost its
                // race, and an object written below it would outlive it.
                guard count.objects > 0 else { return count }
                return try await documents.create(Self.key(user), count).value
            }
            return try await documents.replace(Self.key(user), stored, with: count).value
        } catch .preconditionFailed {
            // Another copy counted at the same time; its count is as good.
            return count
        }
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.usage(user)) }
}
