import Foundation
import ObjectStorage
import PhotolalaAPI

/// Counts accounts in the order of their ids, with pages of listings that cover many accounts.
package struct UsageListing: Sendable {
    private let changes: UsageChanges
    private let startedAt: Date
    private var marks: ListingCursor
    private var kinds: [UsageKind: ListingCursor]

    init(
        store: any ObjectStore, changes: UsageChanges, now: @escaping @Sendable () -> Date
    ) {
        self.changes = changes
        startedAt = now()
        marks = ListingCursor(StorageLayout.usageChanges, in: store, now: now)
        kinds = Dictionary(
            uniqueKeysWithValues: UsageKind.allCases.map { ($0, ListingCursor($0.root, in: store, now: now)) })
    }

    /// The marks of an account.
    package struct Marks: Sendable {
        /// Whether there is any, also of changes that have not ended.
        package fileprivate(set) var isMarked = false
        fileprivate var over: [ObjectKey] = []

        /// Whether changes have ended that are to be counted now.
        package var needsCount: Bool { !over.isEmpty }
    }

    /// Returns the marks of the next account, whose id must be greater than those of earlier calls.
    package mutating func marks(of user: UserID) async throws(ObjectStoreError) -> Marks {
        var found = Marks()
        while let mark = try await marks.next(below: StorageLayout.usageChanges(user)) {
            found.isMarked = true
            if UsageChanges.isOver(mark.key, at: startedAt) { found.over.append(mark.key) }
        }
        return found
    }

    /// Counts an account, whose id must be greater than those of earlier calls. The count is not stored.
    package mutating func count(of user: UserID) async throws(ObjectStoreError) -> UsageDocument {
        var (usage, previews, time) = ([UsageKind: KindUsage](), KindUsage(), Date.distantFuture)
        for kind in UsageKind.allCases {
            guard var cursor = kinds[kind] else { continue }
            let prefix = kind.prefix(of: user)
            _ = try await cursor.first(below: prefix)
            time = min(time, cursor.readAt)
            var sum = KindUsage()
            while let object = try await cursor.next(below: prefix) {
                let one = KindUsage(bytes: object.size, objects: 1)
                sum += one
                if StorageLayout.isPreview(object.key.description) { previews += one }
            }
            kinds[kind] = cursor
            usage[kind] = sum
        }
        return UsageDocument(
            version: 1, bytes: usage.values.reduce(0) { $0 + $1.bytes },
            objects: usage.values.reduce(0) { $0 + $1.objects }, countedAt: time, kinds: usage,
            previews: previews)
    }

    /// Removes the marks of changes that a stored count includes.
    package func remove(_ marks: Marks) async throws(ObjectStoreError) { try await changes.remove(marks.over) }
}
