import Foundation
import ObjectStorage
import PhotolalaAPI

/// Counts what accounts store. A metered store knows it at any moment; elsewhere it is counted by listing, which is a job of
/// its own, and the last count is kept.
package struct UsageCounts: Sendable {
    private let documents: Documents<UsageDocument>
    private let meter: (any MeteredObjectStore)?
    private let countsOtherSpellings: Bool
    private let now: @Sendable () -> Date
    /// Accounts that wait for their first count.
    package let firstCounts = FirstCounts()

    /// - Parameters:
    ///   - meter: the same store, where it is metered.
    ///   - countsOtherSpellings: whether what stands below the user's prefixes in other cases is counted, too.
    package init(
        store: any ObjectStore, retry: RetryPolicy, meter: (any MeteredObjectStore)? = nil,
        countsOtherSpellings: Bool = false, now: @escaping @Sendable () -> Date
    ) {
        documents = Documents(store: store, retry: retry)
        self.meter = meter
        self.countsOtherSpellings = countsOtherSpellings
        self.now = now
    }

    /// The last count, `nil` while nothing that the user stored has been counted. One read.
    package func last(of user: UserID) async throws(ObjectStoreError) -> UsageDocument? {
        if let current = try await current(of: user) { return current }
        return try await documents.load(Self.key(user))?.value
    }

    /// What a user stores at this moment, parts of uploads included; `nil` where the store is not metered. One read.
    package func current(of user: UserID) async throws(ObjectStoreError) -> UsageDocument? {
        guard let meter else { return nil }
        let uploads = StorageLayout.uploads(user)
        let totals = try await meter.totals(below: StorageLayout.userPrefixes(user) + [uploads])
        var kinds: [UsageKind: KindUsage] = [:]
        for kind in UsageKind.allCases {
            let total = totals[kind.prefix(of: user)] ?? ObjectTotals()
            kinds[kind] = KindUsage(bytes: total.bytes, objects: Int(total.objects))
        }
        return UsageDocument(
            version: 1, bytes: totals.values.reduce(0) { $0 + $1.bytes },
            objects: kinds.values.reduce(0) { $0 + $1.objects }, countedAt: now(), kinds: kinds)
    }

    /// Whether the store is metered: a count costs one read and is never old.
    package var isMetered: Bool { meter != nil }

    /// Counts the bytes under the user's prefixes and keeps the count, unless there was never anything to count. One
    /// listing for each thousand objects; those of a large library go side by side.
    /// - Parameters:
    ///   - limit: bytes that the user may store.
    ///   - keys: of those that are found the lengths are told.
    package func count(
        _ user: UserID, limit: Int64, looking keys: Set<String> = []
    ) async throws(ObjectStoreError) -> (document: UsageDocument, sizes: [String: Int64]) {
        let time = now()
        var sizes: [String: Int64] = [:]
        if let current = try await current(of: user) {
            for key in keys { sizes[key] = try await documents.store.head(ObjectKey(known: key))?.size }
            return (current, sizes)
        }
        var kinds: [UsageKind: KindUsage] = [:]
        for kind in UsageKind.allCases {
            let sum = try await count(kind, of: user, keys)
            kinds[kind] = sum.usage
            sizes.merge(sum.sizes) { _, last in last }
        }
        let count = UsageDocument(
            version: 1, bytes: kinds.values.reduce(0) { $0 + $1.bytes },
            objects: kinds.values.reduce(0) { $0 + $1.objects }, countedAt: time, kinds: kinds)
        return (try await keep(count, of: user, limit: limit), sizes)
    }

    /// Returns a count with the catalogs and own data as they are now; it is not stored. One listing for each thousand objects.
    package func recountingRecords(
        of last: UsageDocument, of user: UserID
    ) async throws(ObjectStoreError) -> UsageDocument {
        guard var kinds = last.kinds else { return last }
        for kind in [UsageKind.catalogs, .data] { kinds[kind] = try await count(kind, of: user, []).usage }
        var current = last
        current.kinds = kinds
        return current
    }

    /// What is stored of one kind, in every spelling of its prefix that the engine opens.
    private func count(
        _ kind: UsageKind, of user: UserID, _ keys: Set<String>
    ) async throws(ObjectStoreError) -> Sum {
        let prefix = kind.prefix(of: user)
        var sum =
            try await kind.isNamedByMD5
            ? countSideBySide(below: prefix, keys) : count(below: prefix, keys, after: nil)
        if countsOtherSpellings { sum.usage += try await OtherSpellings(of: prefix, in: documents.store).usage() }
        return sum
    }

    /// What is below a prefix. Its first page tells whether it is worth to go side by side: keys begin with hex digits.
    private func countSideBySide(
        below prefix: String, _ keys: Set<String>
    ) async throws(ObjectStoreError) -> Sum {
        let first = try await documents.store.list(prefix: prefix, after: nil, limit: 1000)
        var sum = Sum(first.objects, keys)
        guard first.isTruncated, let last = first.objects.last?.key.description else { return sum }
        let digits = "0123456789abcdef"
        let reached = last.dropFirst(prefix.count).first ?? "0"
        guard let place = digits.firstIndex(of: reached) else {
            return sum + (try await count(below: prefix, keys, after: last))
        }
        // The rest under the digit that the page ended in, the digits behind it, and what begins otherwise.
        let ends = digits[place...].map { "\(prefix)\($0)\u{7f}" }
        let spans = zip([last] + ends, ends + [nil])
        do {
            return try await withThrowingTaskGroup(of: Sum.self) { group in
                for (index, span) in spans.enumerated() {
                    if index >= Self.together, let done = try await group.next() { sum = sum + done }
                    group.addTask { try await count(below: prefix, keys, after: span.0, through: span.1) }
                }
                for try await done in group { sum = sum + done }
                return sum
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// A count of later than this, in seconds, was dated by a clock that is ahead, and gives way.
    private static let skew: TimeInterval = 60
    /// How many listings of one account go at once.
    private static let together = 8

    private func count(
        below prefix: String, _ keys: Set<String>, after start: String?, through end: String? = nil
    ) async throws(ObjectStoreError) -> Sum {
        var sum = Sum()
        var after = start
        repeat {
            let page = try await documents.store.list(prefix: prefix, after: after, limit: 1000)
            // Bytes, as listings are in their order.
            let objects = page.objects.prefix { object in
                end.map { !$0.utf8.lexicographicallyPrecedes(object.key.description.utf8) } ?? true
            }
            sum = sum + Sum(objects, keys)
            let isOver = objects.count < page.objects.count || !page.isTruncated
            after = isOver ? nil : page.objects.last?.key.description
        } while after != nil
        return sum
    }

    private func keep(
        _ count: UsageDocument, of user: UserID, limit: Int64
    ) async throws(ObjectStoreError) -> UsageDocument {
        var count = count
        let isOver = count.bytes > limit
        do {
            guard let stored = try await documents.load(Self.key(user)) else {
                // Who never stored anything has no count: the account may be that of a sign-up that has just lost its
                // race, and an object written below it would outlive it.
                guard count.objects > 0 else { return count }
                count.whenExceeded = isOver ? RecordBytes(count.kinds ?? [:]) : nil
                return try await documents.create(Self.key(user), count).value
            }
            // One that ends late says nothing beside one that began after it.
            // What came since the last count within the limit is part of what is bounded.
            let before = stored.value.whenExceeded ?? RecordBytes(stored.value.kinds ?? count.kinds ?? [:])
            count.whenExceeded = isOver ? before : nil
            let last = stored.value.countedAt
            guard last <= count.countedAt || last > now().addingTimeInterval(Self.skew) else { return count }
            return try await documents.replace(Self.key(user), stored, with: count).value
        } catch .preconditionFailed {
            // Another copy counted at the same time; its count is as good.
            return count
        }
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.usage(user)) }
}

/// What a listing came to.
private struct Sum: Sendable {
    var usage = KindUsage()
    /// Of those objects that are looked for.
    var sizes: [String: Int64] = [:]

    init() {}

    init(_ objects: some Collection<ListedObject>, _ keys: Set<String>) {
        usage = KindUsage(bytes: objects.reduce(0) { $0 + $1.size }, objects: objects.count)
        guard !keys.isEmpty else { return }
        for object in objects where keys.contains(object.key.description) {
            sizes[object.key.description] = object.size
        }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.usage.bytes += right.usage.bytes
        sum.usage.objects += right.usage.objects
        sum.sizes.merge(right.sizes) { _, last in last }
        return sum
    }
}
