import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The contents that the store has, as far as is known without a request for each.
///
/// A listing shows what was stored, but not whether the bytes are still intact. Therefore each backup checks some
/// contents one by one: all contents of a small library, and a different part of a large one each day.
struct StoredContents: Sendable {
    private var catalog: CatalogContents?
    /// Further contents that this backup found stored.
    private var sizes: [ContentDigest: Int64]
    /// Contents that this device found stored earlier. They may have been deleted since, so they count only for entries
    /// that are already committed.
    private var journaledSizes: [ContentDigest: Int64] = [:]
    /// Contents that this backup checked or uploaded.
    private var checked: Set<ContentDigest> = []
    /// Whether the listing was complete, so that a content that is not listed is not stored.
    private let isComplete: Bool
    private var dailyCheck: DailyCheck
    /// Whether a backup of the folder was completed before, so that the journal covers its files.
    private let isFolderKnown: Bool

    /// The largest library for which a page of the listing is read.
    private static let listingLimit = 1000

    /// Determines what is stored. For a small library this reads one page of the listing. Otherwise it uses the catalog
    /// or, if that is not loaded, what the journal records as committed.
    /// - Parameters:
    ///   - journal: The journal of the folder that is backed up.
    ///   - checks: The approximate number of contents to check one by one.
    ///   - date: The current date, which selects them.
    static func load(
        from store: any ObjectStore, user: UserID, catalog: Catalog?, journal: BackupJournal, checks: Int, date: Date
    ) async throws(ObjectStoreError) -> StoredContents {
        guard let catalog, catalog.count <= listingLimit else {
            let known = journal.committedContents
            var stored = StoredContents(
                catalog: nil, sizes: [:], isComplete: false,
                dailyCheck: DailyCheck(of: known.count, checks: checks, date: date),
                isFolderKnown: journal.checkedDay != nil
            )
            if catalog == nil { stored.journaledSizes = known }
            stored.useCatalog(catalog)
            return stored
        }
        let page = try await store.list(prefix: StorageLayout.photos(user), after: nil, limit: listingLimit)
        let sizes = sizes(of: page, below: StorageLayout.photos(user))
        return StoredContents(
            catalog: page.isTruncated ? catalog.contents : nil, sizes: sizes, isComplete: !page.isTruncated,
            dailyCheck: DailyCheck(of: sizes.count, checks: checks, date: date), isFolderKnown: true
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
        // Not every store uses MD5s as ETags. If it does, a different ETag means different bytes under this key.
        if tags.contains(where: { $0.key.description == $0.value.description }) {
            for (digest, tag) in tags where digest.description != tag.description { sizes[digest] = -1 }
        }
        return sizes
    }

    private init(
        catalog: CatalogContents?, sizes: [ContentDigest: Int64], isComplete: Bool, dailyCheck: DailyCheck,
        isFolderKnown: Bool
    ) {
        self.catalog = catalog
        self.sizes = sizes
        self.isComplete = isComplete
        self.dailyCheck = dailyCheck
        self.isFolderKnown = isFolderKnown
    }

    /// Returns whether a content is stored; `nil` if it needs a request.
    /// - Parameter isCommitted: Whether the content is already committed for the file in question.
    func contains(_ digest: ContentDigest, size: Int64, isCommitted: @autoclosure () -> Bool) -> Bool? {
        guard let stored = sizes[digest] ?? catalog?[digest] ?? journaledSize(digest, isCommitted) else {
            return isComplete ? false : nil
        }
        guard stored == size else { return false }
        return checked.contains(digest) || !dailyCheck.includes(digest) ? true : nil
    }

    /// Returns whether a listing, the catalog or this device's journal names a content. Costs no request.
    func isKnown(_ digest: ContentDigest) -> Bool {
        sizes[digest] != nil || catalog?[digest] != nil || journaledSizes[digest] != nil
    }

    private func journaledSize(_ digest: ContentDigest, _ isCommitted: () -> Bool) -> Int64? {
        guard let size = journaledSizes[digest], isCommitted() else { return nil }
        return size
    }

    /// Adds the contents of the catalog once it is loaded. Without a completed backup of this folder, any of its
    /// contents may belong to the folder.
    mutating func useCatalog(_ catalog: Catalog?) {
        guard let catalog, self.catalog == nil, !isComplete else { return }
        let contents = catalog.contents
        self.catalog = contents
        if !isFolderKnown { dailyCheck = dailyCheck.covering(contents.count) }
    }

    mutating func insert(_ digest: ContentDigest, size: Int64) {
        sizes[digest] = size
        checked.insert(digest)
    }
}

/// The part of the contents that is checked today.
private struct DailyCheck: Sendable {
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

    /// Returns the same selection for a larger number of contents.
    func covering(_ more: Int) -> DailyCheck { DailyCheck(of: max(contents, more), checks: checks, date: date) }

    /// Returns whether a content is checked today. Digests are evenly distributed, and so are their first digits.
    func includes(_ digest: ContentDigest) -> Bool {
        guard parts > 0, let number = Int(digest.description.prefix(8), radix: 16) else { return false }
        return number % parts == today
    }
}
