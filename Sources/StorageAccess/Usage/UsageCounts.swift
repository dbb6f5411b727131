import Foundation
import ObjectStorage
import PhotolalaAPI

/// Measures the storage used by accounts. A metered store knows it at any time; in other stores a separate job counts
/// by listing, and the last count is stored.
package struct UsageCounts: Sendable {
    private let documents: Documents<UsageDocument>
    private let changes: UsageChanges
    private let meter: (any MeteredObjectStore)?
    private let countsCaseVariants: Bool
    private let now: @Sendable () -> Date
    /// Accounts waiting for their first count.
    package let firstCountSchedule = FirstCountSchedule()

    /// - Parameters:
    ///   - meter: The same store, if it is metered.
    ///   - countsCaseVariants: Whether to include keys below the user's prefixes in other letter case.
    package init(
        store: any ObjectStore, retry: RetryPolicy, meter: (any MeteredObjectStore)? = nil,
        countsCaseVariants: Bool = false, now: @escaping @Sendable () -> Date
    ) {
        documents = Documents(store: store, retry: retry)
        changes = UsageChanges(store: store, retry: retry)
        self.meter = meter
        self.countsCaseVariants = countsCaseVariants
        self.now = now
    }

    /// Returns the last count; `nil` if no object of the user has been counted yet. One read.
    package func last(of user: UserID) async throws(ObjectStoreError) -> UsageDocument? {
        if let current = try await current(of: user) { return current }
        return try await documents.load(Self.key(user))?.value
    }

    /// Returns the current usage of a user, including parts of uploads; `nil` if the store is not metered. One read.
    package func current(of user: UserID) async throws(ObjectStoreError) -> UsageDocument? {
        guard let meter else { return nil }
        let (uploads, previews) = (StorageLayout.uploads(user), StorageLayout.previews(user))
        var totals = try await meter.totals(below: StorageLayout.userPrefixes(user) + [uploads, previews])
        // They are part of the thumbnails.
        let large = totals.removeValue(forKey: previews) ?? ObjectTotals()
        var kinds: [UsageKind: KindUsage] = [:]
        for kind in UsageKind.allCases {
            let total = totals[kind.prefix(of: user)] ?? ObjectTotals()
            kinds[kind] = KindUsage(bytes: total.bytes, objects: Int(total.objects))
        }
        return UsageDocument(
            version: 1, bytes: totals.values.reduce(0) { $0 + $1.bytes },
            objects: kinds.values.reduce(0) { $0 + $1.objects }, countedAt: now(), kinds: kinds,
            previews: KindUsage(bytes: large.bytes, objects: Int(large.objects)))
    }

    /// Whether the store is metered: a count costs one read and is always current.
    package var isMetered: Bool { meter != nil }

    /// Records that the stored bytes of a user may change. A metered store needs no record. Otherwise one write for each
    /// user, period of six hours and process.
    /// - Parameter end: when the last change can begin; now by default.
    package func recordChange(of user: UserID, until end: Date? = nil) async throws(ObjectStoreError) {
        guard !isMetered else { return }
        try await changes.mark(user, until: end ?? now())
    }

    /// Returns whether a change of a user's stored bytes is recorded that may not have been counted. One listing.
    package func hasRecordedChange(of user: UserID) async throws(ObjectStoreError) -> Bool {
        try await changes.isMarked(user)
    }

    /// Returns a listing that counts users in the order of their ids; `nil` if the store is metered, or is SeaweedFS,
    /// whose listings have another order and cost nothing: each user is then counted alone.
    package func makeListing() -> UsageListing? {
        guard !isMetered, !countsCaseVariants else { return nil }
        return UsageListing(store: documents.store, changes: changes, now: now)
    }

    /// Counts the bytes below the user's prefixes and stores the count, unless there has never been an object. One
    /// listing per thousand objects; those of a large library run concurrently.
    /// - Parameters:
    ///   - limit: The user's storage limit in bytes.
    ///   - keys: Keys whose sizes are returned if they exist.
    package func count(
        _ user: UserID, limit: Int64, looking keys: Set<String> = []
    ) async throws(ObjectStoreError) -> (document: UsageDocument, sizes: [String: Int64]) {
        let time = now()
        var sizes: [String: Int64] = [:]
        if let current = try await current(of: user) {
            for key in keys { sizes[key] = try await documents.store.head(ObjectKey(known: key))?.size }
            return (current, sizes)
        }
        var (kinds, previews) = ([UsageKind: KindUsage](), KindUsage())
        for kind in UsageKind.allCases {
            let sum = try await count(kind, of: user, keys)
            kinds[kind] = sum.usage
            previews += sum.previews
            sizes.merge(sum.sizes) { _, last in last }
        }
        let count = UsageDocument(
            version: 1, bytes: kinds.values.reduce(0) { $0 + $1.bytes },
            objects: kinds.values.reduce(0) { $0 + $1.objects }, countedAt: time, kinds: kinds, previews: previews)
        return (try await storeCount(count, of: user, limit: limit), sizes)
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
    ) async throws(ObjectStoreError) -> UsageTotal {
        let prefix = kind.prefix(of: user)
        var sum =
            try await kind.isNamedByMD5
            ? countConcurrently(below: prefix, keys, folder: kind == .thumbnails ? StorageLayout.previews(user) : nil)
            : count(below: prefix, keys, after: nil)
        if countsCaseVariants { sum.usage += try await CaseVariants(of: prefix, in: documents.store).usage() }
        return sum
    }

    /// What is below a prefix. Its first page tells whether it is worth to go side by side: keys begin with hex digits.
    /// - Parameter folder: A longer prefix after all hex digits, whose keys go on with hex digits.
    private func countConcurrently(
        below prefix: String, _ keys: Set<String>, folder: String? = nil
    ) async throws(ObjectStoreError) -> UsageTotal {
        let first = try await documents.store.list(prefix: prefix, after: nil, limit: 1000)
        var sum = UsageTotal(first.objects, keys)
        guard first.isTruncated, let last = first.objects.last?.key.description else { return sum }
        let digits = "0123456789abcdef"
        let reached = last.dropFirst(prefix.count).first ?? "0"
        guard let index = digits.firstIndex(of: reached) else {
            return sum + (try await count(below: prefix, keys, after: last))
        }
        // The rest of the digit in which the page ended, the following digits, and all other keys.
        var ends = digits[index...].map { "\(prefix)\($0)\u{7f}" }
        if let folder {
            sum = sum + (try await countConcurrently(below: folder, keys))
            ends += [folder, "\(folder)\u{10ffff}"]
        }
        // What is below the folder is counted above.
        let spans = zip([last] + ends, ends + [nil]).filter { folder == nil || $0.0 != folder }
        do {
            return try await withThrowingTaskGroup(of: UsageTotal.self) { group in
                for (index, span) in spans.enumerated() {
                    if index >= Self.concurrency, let done = try await group.next() { sum = sum + done }
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

    /// A count dated further ahead than this, in seconds, was dated by a clock that is ahead, and is replaced.
    private static let clockSkew: TimeInterval = 60
    /// The number of concurrent listings per account.
    private static let concurrency = 8

    private func count(
        below prefix: String, _ keys: Set<String>, after start: String?, through end: String? = nil
    ) async throws(ObjectStoreError) -> UsageTotal {
        var sum = UsageTotal()
        var after = start
        repeat {
            let page = try await documents.store.list(prefix: prefix, after: after, limit: 1000)
            // Compares bytes, as listings are in byte order.
            let objects = page.objects.prefix { object in
                end.map { !$0.utf8.lexicographicallyPrecedes(object.key.description.utf8) } ?? true
            }
            sum = sum + UsageTotal(objects, keys)
            let isOver = objects.count < page.objects.count || !page.isTruncated
            after = isOver ? nil : page.objects.last?.key.description
        } while after != nil
        return sum
    }

    /// Stores a count, unless there has never been an object. One read and one write.
    /// - Parameter limit: The user's storage limit in bytes.
    package func storeCount(
        _ count: UsageDocument, of user: UserID, limit: Int64
    ) async throws(ObjectStoreError) -> UsageDocument {
        var count = count
        let isOver = count.bytes > limit
        do {
            guard let stored = try await documents.load(Self.key(user)) else {
                // An account that never stored an object gets no count: a failed concurrent sign-up may be deleting
                // the account, and an object written below it would remain.
                guard count.objects > 0 else { return count }
                count.whenExceeded = isOver ? RecordBytes(count.kinds ?? [:]) : nil
                return try await documents.create(Self.key(user), count).value
            }
            // A count that ends late does not replace one that started after it. Data stored since the last count
            // within the limit is included in the allowance.
            let before = stored.value.whenExceeded ?? RecordBytes(stored.value.kinds ?? count.kinds ?? [:])
            count.whenExceeded = isOver ? before : nil
            let last = stored.value.countedAt
            guard last <= count.countedAt || last > now().addingTimeInterval(Self.clockSkew) else { return count }
            return try await documents.replace(Self.key(user), stored, with: count).value
        } catch .preconditionFailed {
            // Another instance counted at the same time; its count is equally valid.
            return count
        }
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.usage(user)) }
}

/// The sum of a listing.
private struct UsageTotal: Sendable {
    var usage = KindUsage()
    var previews = KindUsage()
    /// The sizes of the requested objects.
    var sizes: [String: Int64] = [:]

    init() {}

    init(_ objects: some Collection<ListedObject>, _ keys: Set<String>) {
        for object in objects {
            let one = KindUsage(bytes: object.size, objects: 1)
            usage += one
            if StorageLayout.isPreview(object.key.description) { previews += one }
        }
        guard !keys.isEmpty else { return }
        for object in objects where keys.contains(object.key.description) {
            sizes[object.key.description] = object.size
        }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.usage += right.usage
        sum.previews += right.previews
        sum.sizes.merge(right.sizes) { _, last in last }
        return sum
    }
}
