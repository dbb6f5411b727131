import Foundation
import ObjectStorage
import PhotolalaAPI

/// What can be read of a catalog, whatever its pointer says.
struct CatalogSalvage: Sendable {
    /// The newest snapshot that can be read with all its parts. Parts alone are no snapshots.
    let best: (digest: ContentDigest, written: Date)?
    /// All that can be read of what was written since that, or at all where there is none.
    let rows: Catalog
    /// What was said of purges in anything that could be read.
    let purges: [CatalogPurge]
    /// What is wrong with something that is newer.
    let damage: CatalogError?

    var isEmpty: Bool { best == nil && rows.isEmpty }
}

extension CatalogStore {
    /// A part is written before the snapshot that names it, and a store's clocks differ.
    private static let slack: TimeInterval = 3600

    /// Looks through all files from the newest on. Merging is a join, and nothing ever leaves a catalog: so what was
    /// acknowledged is found in whichever file it stands, and what was only about to be committed does no harm, as long as
    /// its content is stored (`mended`). Of snapshots from before there were stamps, which did leave out what was gone, only
    /// the newest counts.
    func salvage() async throws(CatalogError) -> CatalogSalvage {
        let files = try await files()
        guard files.reduce(Int64(0), { $0.addingCapped($1.size) }) <= sizes.salvageable else { throw .tooLarge }
        var search = SalvageSearch(store: uncached, files: files)
        for file in files {
            if let best = search.best, file.written < best.written.addingTimeInterval(-Self.slack) { break }
            try await search.look(at: file)
        }
        return try search.outcome()
    }

    /// All snapshots and parts, the newest first.
    private func files() async throws(CatalogError) -> [StoredCatalogFile] {
        let prefix = "\(StorageLayout.catalogs(user)).photolala."
        var found: [StoredCatalogFile] = []
        var after: String?
        while true {
            let page: ObjectPage
            do {
                page = try await store.list(prefix: prefix, after: after, limit: 1000)
            } catch { throw .store(error) }
            for object in page.objects {
                let name = object.key.description.utf8.dropFirst(prefix.utf8.count)
                guard let digest = ContentDigest(Substring(name.prefix(32))),
                    name.dropFirst(32).elementsEqual(".csv".utf8)
                else { continue }
                found.append(StoredCatalogFile(digest: digest, size: object.size, written: object.lastModified))
            }
            guard found.count <= sizes.salvageableFiles else { throw .tooLarge }
            guard page.isTruncated, let last = page.objects.last else { break }
            after = last.key.description
        }
        return found.sorted { ($0.written, $1.digest) > ($1.written, $0.digest) }
    }
}

/// What a listing says of a catalog's file.
private struct StoredCatalogFile {
    let digest: ContentDigest
    /// Length in bytes.
    let size: Int64
    /// In whole seconds.
    let written: Date
}

/// A search for what can be read. Each file is read once, and what it says is kept joined.
private struct SalvageSearch {
    private struct Seen {
        let parts: [CatalogPart]
        let isSnapshot: Bool
        let hasStamps: Bool
        let entries: Int
    }

    private let store: CatalogStore
    private let sizes: [ContentDigest: Int64]
    /// `nil` for what cannot be read.
    private var seen: [ContentDigest: Seen?] = [:]
    private(set) var best: (digest: ContentDigest, written: Date)?
    private var bestFile: Seen?
    private var rows = Catalog()
    private var unjoined: [Catalog] = []
    private var unjoinedCount = 0
    private var unjoinedBytes: Int64 = 0
    private var damage: CatalogError?
    private var purges: [CatalogPurge] = []

    init(store: CatalogStore, files: [StoredCatalogFile]) {
        self.store = store
        sizes = Dictionary(files.map { ($0.digest, $0.size) }, uniquingKeysWith: { first, _ in first })
    }

    /// Files come with the newest first; of those of one second the best counts as newest.
    mutating func look(at file: StoredCatalogFile) async throws(CatalogError) {
        let isNewest = best.map { file.written >= $0.written } ?? true
        if !isNewest, try await isWithoutStamps(file) { return }
        let problem: CatalogError?
        if let found = try await read(file.digest) {
            guard isNewest, found.isSnapshot, isBetter(found) else { return }
            problem = try await look(through: found.parts)
            if problem == nil {
                best = (digest: file.digest, written: file.written)
                bestFile = found
            }
        } else {
            problem = .snapshotDamaged(file.digest)
        }
        if isNewest { damage = damage ?? problem }
    }

    mutating func outcome() throws(CatalogError) -> CatalogSalvage {
        try join()
        return CatalogSalvage(best: best, rows: rows, purges: purges, damage: damage)
    }

    private func isBetter(_ found: Seen) -> Bool {
        guard let bestFile else { return true }
        guard found.hasStamps == bestFile.hasStamps else { return found.hasStamps }
        return found.entries > bestFile.entries
    }

    /// Whether a file that nobody has read yet, and that is long, says nothing that would be joined.
    private func isWithoutStamps(_ file: StoredCatalogFile) async throws(CatalogError) -> Bool {
        guard file.size > Int64(store.sizes.snapshot), seen[file.digest] == nil else { return false }
        do { return try await !(store.hasStamps(file.digest) ?? false) } catch {
            guard error.isDamage else { throw error }
            return true
        }
    }

    /// Reads all that can be read of parts and theirs; tells what cannot.
    private mutating func look(through parts: [CatalogPart]) async throws(CatalogError) -> CatalogError? {
        var (next, known, problem) = (parts, Set<CatalogPart>(), CatalogError?.none)
        while let part = next.popLast() {
            guard known.insert(part).inserted else { continue }
            guard let size = sizes[part.digest] else {
                problem = .snapshotMissing(part.digest)
                continue
            }
            guard let found = try await read(part.digest), size == part.size else {
                problem = .snapshotDamaged(part.digest)
                continue
            }
            next += found.parts
        }
        return problem
    }

    private mutating func read(_ digest: ContentDigest) async throws(CatalogError) -> Seen? {
        if let known = seen[digest] { return known }
        let file: CatalogFile?
        do { file = try await store.readFile(digest) } catch {
            guard error.isDamage else { throw error }
            file = nil
        }
        let found = file.map { file in
            Seen(
                parts: file.parts, isSnapshot: !file.hasStamps || file.origin != nil, hasStamps: file.hasStamps,
                entries: file.rows.records.count
            )
        }
        seen.updateValue(found, forKey: digest)
        guard let file, file.hasStamps else { return found }
        if let purge = file.purge { purges.append(purge) }
        unjoined.append(file.rows)
        unjoinedCount += file.rows.records.count
        unjoinedBytes += Int64(file.rows.text.count)
        // So that each row is moved only as often as the whole can be doubled, and little is held that is twice.
        if unjoinedCount > max(100_000, rows.records.count) || unjoinedBytes > store.sizes.readable { try join() }
        return found
    }

    private mutating func join() throws(CatalogError) {
        rows = Catalog.join(of: unjoined + [rows])
        (unjoined, unjoinedCount, unjoinedBytes) = ([], 0, 0)
        guard rows.records.count <= CatalogCSV.entryLimit, rows.text.count <= store.sizes.readable else {
            throw .tooLarge
        }
    }
}
