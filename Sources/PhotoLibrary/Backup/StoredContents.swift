import Foundation
import ObjectStorage
import PhotolalaAPI

/// Which contents the store has, as far as it is known without asking for each.
///
/// A listing tells what was stored, not whether its bytes are still right. So each backup asks for some contents one by
/// one: all of a small library, of a large one another part each day.
struct StoredContents: Sendable {
    private var sizes: [ContentDigest: Int64]
    /// Contents that were looked at or sent by this backup.
    private var checked: Set<ContentDigest> = []
    /// Whether all of the store is in here, so that what is not here is not there.
    private let isComplete: Bool
    private let round: CheckRound

    /// Reads one page of the listing. If that is all, the store was seen whole; otherwise the catalog tells more.
    /// - Parameters:
    ///   - checks: about so many contents are asked for one by one.
    ///   - date: its day says which.
    static func load(
        from store: any ObjectStore, user: UserID, catalog: Catalog, checks: Int, date: Date
    ) async throws(ObjectStoreError) -> StoredContents {
        let prefix = StorageLayout.photos(user)
        let page = try await store.list(prefix: prefix, after: nil, limit: 1000)
        var sizes = page.isTruncated ? catalog.contents : [:]
        var tags: [ContentDigest: ETag] = [:]
        for object in page.objects {
            let name = object.key.description.utf8.dropFirst(prefix.utf8.count)
            guard let digest = ContentDigest(Substring(name.prefix(32))), name.dropFirst(32).elementsEqual(".dat".utf8)
            else { continue }
            sizes[digest] = object.size
            tags[digest] = object.etag
        }
        // Not every store's tags are MD5s. Where they are, another one means other bytes under this name.
        if tags.contains(where: { $0.key.description == $0.value.description }) {
            for (digest, tag) in tags where digest.description != tag.description { sizes[digest] = -1 }
        }
        return StoredContents(
            sizes: sizes, isComplete: !page.isTruncated, round: CheckRound(of: sizes.count, checks: checks, date: date)
        )
    }

    private init(sizes: [ContentDigest: Int64], isComplete: Bool, round: CheckRound) {
        self.sizes = sizes
        self.isComplete = isComplete
        self.round = round
    }

    /// `nil` when only the store can tell.
    func contains(_ digest: ContentDigest, size: Int64) -> Bool? {
        guard let stored = sizes[digest] else { return isComplete ? false : nil }
        guard stored == size else { return false }
        return checked.contains(digest) || !round.includes(digest) ? true : nil
    }

    mutating func insert(_ digest: ContentDigest, size: Int64) {
        sizes[digest] = size
        checked.insert(digest)
    }
}

/// The part of the contents whose turn it is today.
private struct CheckRound: Sendable {
    private let parts: Int
    private let today: Int

    init(of contents: Int, checks: Int, date: Date) {
        parts = checks > 0 ? (contents - 1) / checks + 1 : 0
        today = parts > 0 ? Int(date.timeIntervalSince1970 / 86_400) % parts : 0
    }

    /// Digests are evenly spread, and so are their first digits.
    func includes(_ digest: ContentDigest) -> Bool {
        guard parts > 0, let number = Int(digest.description.prefix(8), radix: 16) else { return false }
        return number % parts == today
    }
}
