import Foundation
import ObjectStorage
import PhotolalaAPI

/// Which contents the store has, as far as it is known without asking for each.
///
/// A listing tells what was stored, not whether its bytes are still right. So each backup asks for some contents one by
/// one: all of a small library, of a large one another part each day.
struct StoredContents: Sendable {
    private var catalog: CatalogContents?
    /// What else was found stored by this backup.
    private var sizes: [ContentDigest: Int64]
    /// What this device had found stored earlier. It may have been deleted since, so nothing new is built upon it.
    private var remembered: [ContentDigest: Int64] = [:]
    /// Contents that were looked at or sent by this backup.
    private var checked: Set<ContentDigest> = []
    /// Whether all of the store is in here, so that what is not here is not there.
    private let isComplete: Bool
    private var round: CheckRound
    /// Whether the journal knows the folder's files, because a backup of it came to its end.
    private let isFolderKnown: Bool

    /// The largest library of which a page of the listing is read.
    private static let listed = 1000

    /// In a small library one page of the listing tells all. Otherwise the catalog does, where it is at hand, and what
    /// this device brought into it where it is not.
    /// - Parameters:
    ///   - journal: of a folder, whose files are looked after.
    ///   - checks: about so many contents are asked for one by one.
    ///   - date: its day says which.
    static func load(
        from store: any ObjectStore, user: UserID, catalog: Catalog?, journal: BackupJournal, checks: Int, date: Date
    ) async throws(ObjectStoreError) -> StoredContents {
        guard let catalog, catalog.count <= listed else {
            let known = journal.committedContents
            var stored = StoredContents(
                catalog: nil, sizes: [:], isComplete: false,
                round: CheckRound(of: known.count, checks: checks, date: date),
                isFolderKnown: journal.checkedDay != nil
            )
            if catalog == nil { stored.remembered = known }
            stored.learn(catalog)
            return stored
        }
        let page = try await store.list(prefix: StorageLayout.photos(user), after: nil, limit: listed)
        let sizes = sizes(of: page, below: StorageLayout.photos(user))
        return StoredContents(
            catalog: page.isTruncated ? catalog.contents : nil, sizes: sizes, isComplete: !page.isTruncated,
            round: CheckRound(of: sizes.count, checks: checks, date: date), isFolderKnown: true
        )
    }

    private static func sizes(of page: ObjectPage, below prefix: String) -> [ContentDigest: Int64] {
        var sizes: [ContentDigest: Int64] = [:]
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
        return sizes
    }

    private init(
        catalog: CatalogContents?, sizes: [ContentDigest: Int64], isComplete: Bool, round: CheckRound,
        isFolderKnown: Bool
    ) {
        self.catalog = catalog
        self.sizes = sizes
        self.isComplete = isComplete
        self.round = round
        self.isFolderKnown = isFolderKnown
    }

    /// `nil` when only the store can tell.
    /// - Parameter isCommitted: whether the catalog has it already for the file that it is asked for.
    func contains(_ digest: ContentDigest, size: Int64, isCommitted: @autoclosure () -> Bool) -> Bool? {
        guard let stored = sizes[digest] ?? catalog?[digest] ?? rememberedSize(digest, isCommitted) else {
            return isComplete ? false : nil
        }
        guard stored == size else { return false }
        return checked.contains(digest) || !round.includes(digest) ? true : nil
    }

    private func rememberedSize(_ digest: ContentDigest, _ isCommitted: () -> Bool) -> Int64? {
        guard let size = remembered[digest], isCommitted() else { return nil }
        return size
    }

    /// Takes in the catalog, once it is at hand. How many of its contents are in a folder that was never backed up to
    /// the end nobody knows; they may be all of them.
    mutating func learn(_ catalog: Catalog?) {
        guard let catalog, self.catalog == nil, !isComplete else { return }
        let contents = catalog.contents
        self.catalog = contents
        if !isFolderKnown { round = round.among(contents.count) }
    }

    mutating func insert(_ digest: ContentDigest, size: Int64) {
        sizes[digest] = size
        checked.insert(digest)
    }
}

/// The part of the contents whose turn it is today.
private struct CheckRound: Sendable {
    private let contents: Int
    private let checks: Int
    private let date: Date
    private let parts: Int
    private let today: Int

    init(of contents: Int, checks: Int, date: Date) {
        (self.contents, self.checks, self.date) = (contents, checks, date)
        parts = checks > 0 ? max(0, contents - 1) / checks + 1 : 0
        today = parts > 0 ? Int(date.timeIntervalSince1970 / 86_400) % parts : 0
    }

    /// The same of more contents.
    func among(_ more: Int) -> CheckRound { CheckRound(of: max(contents, more), checks: checks, date: date) }

    /// Digests are evenly spread, and so are their first digits.
    func includes(_ digest: ContentDigest) -> Bool {
        guard parts > 0, let number = Int(digest.description.prefix(8), radix: 16) else { return false }
        return number % parts == today
    }
}
