import ObjectStorage

/// Lists keys in order and groups keys with a delimiter into common prefixes, which are skipped without reading all
/// their keys.
struct ListingWalk: Sendable {
    enum Entry: Sendable, Equatable {
        case object(ListedObject)
        case commonPrefix(String)
    }

    private let store: any ObjectStore
    private let prefix: String
    private let delimiter: String?
    /// The sorted, longer prefixes to which keys beginning with `prefix` are restricted.
    private let scopes: [String]

    /// - Parameter scopes: Disjoint prefixes to which the listing is restricted, in byte order. Each is listed as a
    ///   folder, even if it is empty. `nil` shows everything.
    init(store: any ObjectStore, prefix: String, delimiter: String?, scopes: [String]? = nil) {
        self.store = store
        self.prefix = prefix
        self.delimiter = delimiter
        self.scopes = scopes ?? [prefix]
    }

    /// - Parameters:
    ///   - after: A key, or a common prefix that is skipped entirely if `skipsPrefix` is set.
    /// - Returns: At most `limit` entries, and whether there are more.
    func entries(
        after: String?, skipsPrefix: Bool, limit: Int
    ) async throws(ObjectStoreError) -> (entries: [Entry], isTruncated: Bool) {
        guard limit > 0 else { return ([], false) }
        var page = Page(limit: limit, folded: skipsPrefix ? after : nil)
        for scope in scopes where !page.isFull {
            if let common = commonPrefix(of: scope) {
                // It covers the whole scope, so no read is needed.
                if Self.reaches(behind: after, scope) { page.add(common) }
            } else if delimiter == nil {
                try await list(scope, after: after, into: &page)
            } else {
                try await collapse(scope, from: skipsPrefix ? after.map(Self.upperBound) : after, into: &page)
            }
        }
        return (Array(page.entries.prefix(limit)), page.isFull)
    }

    /// The entries found so far. One more than the limit shows that there are more.
    private struct Page {
        let limit: Int
        var entries: [Entry] = []
        /// The last common prefix.
        var lastCommonPrefix: String?
        /// Whether more entries are known to exist without reading them.
        var hasMore = false

        init(limit: Int, folded: String?) {
            self.limit = limit
            self.lastCommonPrefix = folded
        }

        var isFull: Bool { hasMore || entries.count > limit }
        /// The number of missing entries, including the one beyond the page.
        var missing: Int { limit + 1 - entries.count }

        mutating func add(_ common: String) {
            if let lastCommonPrefix, lastCommonPrefix.utf8.elementsEqual(common.utf8) { return }
            lastCommonPrefix = common
            entries.append(.commonPrefix(common))
        }
    }

    private func list(_ scope: String, after: String?, into page: inout Page) async throws(ObjectStoreError) {
        var position = after
        while !page.isFull {
            let found = try await store.list(prefix: scope, after: position, limit: min(page.missing, 1000))
            page.entries.append(contentsOf: found.objects.map { .object($0) })
            guard found.isTruncated, let last = found.objects.last else { return }
            position = last.key.description
            page.hasMore = page.entries.count >= page.limit
        }
    }

    private func collapse(_ scope: String, from start: String?, into page: inout Page) async throws(ObjectStoreError) {
        var position = start
        var window = 16
        while !page.isFull {
            guard !Task.isCancelled else { throw .unavailable("request cancelled") }
            let found = try await store.list(
                prefix: scope, after: position, limit: min(window, page.missing, 1000))
            var hasJumped = false
            for object in found.objects {
                position = object.key.description
                if let common = commonPrefix(of: object.key.description) {
                    position = Self.upperBound(common)
                    hasJumped = true
                    page.add(common)
                    break
                }
                page.entries.append(.object(object))
            }
            if !hasJumped && !found.isTruncated { return }
            // After a skip the next entry is often another folder.
            window = hasJumped ? 2 : min(window * 4, 1000)
        }
    }

    /// Returns whether keys with the prefix can follow a position.
    private static func reaches(behind position: String?, _ prefix: String) -> Bool {
        guard let position else { return true }
        return !prefix.utf8.lexicographicallyPrecedes(position.utf8) || position.utf8.starts(with: prefix.utf8)
    }

    /// Returns a name after every key that begins with `prefix`: no key of at most 1,024 bytes sorts after this many
    /// of the last Unicode scalar.
    private static func upperBound(_ prefix: String) -> String {
        prefix + String(repeating: "\u{10FFFF}", count: 256)
    }

    private func commonPrefix(of key: String) -> String? {
        CommonPrefix.of(key, prefix: prefix, delimiter: delimiter)
    }
}
