import ObjectStorage

/// Walks a listing in order and folds what lies behind a delimiter into common prefixes, which are jumped over and not
/// read through.
struct ListingWalk: Sendable {
    enum Entry: Sendable, Equatable {
        case object(ListedObject)
        case commonPrefix(String)
    }

    let store: any ObjectStore
    let prefix: String
    let delimiter: String?

    /// - Parameters:
    ///   - after: a key, or a common prefix with all that is behind it when `skipsPrefix`.
    /// - Returns: at most `limit` entries, and whether there are more.
    func entries(
        after: String?, skipsPrefix: Bool, limit: Int
    ) async throws(ObjectStoreError) -> (entries: [Entry], isTruncated: Bool) {
        var entries: [Entry] = []
        guard limit > 0 else { return (entries, false) }
        guard delimiter != nil else {
            let page = try await store.list(prefix: prefix, after: after, limit: limit)
            return (page.objects.map { .object($0) }, page.isTruncated)
        }
        var position = skipsPrefix ? after.map(Self.behind) : after
        var folded = skipsPrefix ? after : nil
        var window = 16
        while true {
            guard !Task.isCancelled else { throw .unavailable("nobody waits for the listing any more") }
            let page = try await store.list(
                prefix: prefix, after: position, limit: min(window, limit + 1 - entries.count, 1000))
            var hasJumped = false
            for object in page.objects {
                position = object.key.description
                if let common = commonPrefix(of: object.key.description) {
                    position = Self.behind(common)
                    hasJumped = true
                    if let folded, folded.utf8.elementsEqual(common.utf8) { break }
                    folded = common
                    entries.append(.commonPrefix(common))
                    break
                }
                entries.append(.object(object))
            }
            if entries.count > limit { return (Array(entries.prefix(limit)), true) }
            if !hasJumped && !page.isTruncated { return (entries, false) }
            // Behind a jump the next thing is often another folder.
            window = hasJumped ? 2 : min(window * 4, 1000)
        }
    }

    /// A name behind every key that begins with `prefix`: no key of at most 1,024 bytes sorts after so many of the
    /// last scalar there is.
    private static func behind(_ prefix: String) -> String {
        prefix + String(repeating: "\u{10FFFF}", count: 256)
    }

    private func commonPrefix(of key: String) -> String? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let rest = Array(key.utf8.dropFirst(prefix.utf8.count))
        let mark = Array(delimiter.utf8)
        guard rest.count >= mark.count else { return nil }
        for start in 0...(rest.count - mark.count) where rest[start..<start + mark.count].elementsEqual(mark) {
            return prefix + String(decoding: rest[..<(start + mark.count)], as: UTF8.self)
        }
        return nil
    }
}
