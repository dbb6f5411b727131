import Foundation
import ObjectStorage
import PhotolalaAPI

/// The readable content of a catalog whose pointer may be missing or wrong.
struct CatalogSalvage: Sendable {
    /// The newest snapshot that is readable with all its parts. A part without a snapshot does not count.
    let best: (digest: ContentDigest, written: Date)?
    /// The readable entries written since that snapshot, or all readable entries if there is none.
    let rows: Catalog
    /// The purge records in all readable files.
    let purges: [CatalogPurge]
    /// The first damage found in newer files.
    let damage: CatalogError?

    var isEmpty: Bool { best == nil && rows.isEmpty }
}

extension CatalogStore {
    /// Parts are written before the snapshot that references them, and clocks within a store differ.
    private static let clockSlack: TimeInterval = 3600

    /// Reads all files, newest first. Merging is a join, and entries are never removed from a catalog. Every
    /// acknowledged change is therefore found in some file, and changes that were about to be committed do no harm if
    /// their contents are stored (see `mended`). Snapshots without timestamps did omit removed entries, so only the
    /// newest of those counts.
    func salvage() async throws(CatalogError) -> CatalogSalvage {
        let files = try await files()
        guard files.reduce(Int64(0), { $0.addingCapped($1.size) }) <= sizes.salvageable else { throw .tooLarge }
        var search = SalvageSearch(store: uncached, files: files)
        for file in files {
            if let best = search.best, file.written < best.written.addingTimeInterval(-Self.clockSlack) { break }
            try await search.readFile(at: file)
        }
        return try search.result()
    }

    /// Returns all snapshots and parts, newest first.
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

/// A catalog file as it appears in a listing.
private struct StoredCatalogFile {
    let digest: ContentDigest
    /// Length in bytes.
    let size: Int64
    /// In whole seconds.
    let written: Date
}

/// A search for readable files. Each file is read once, and its entries are joined with those found before.
private struct SalvageSearch {
    private struct InspectedFile {
        let parts: [CatalogPart]
        let isSnapshot: Bool
        let hasTimestamps: Bool
        let entries: Int
    }

    private let store: CatalogStore
    private let sizes: [ContentDigest: Int64]
    /// `nil` for files that cannot be read.
    private var inspectedFiles: [ContentDigest: InspectedFile?] = [:]
    private(set) var best: (digest: ContentDigest, written: Date)?
    private var bestFile: InspectedFile?
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

    /// Reads a file. Files come newest first; among those of the same second the best counts as newest.
    mutating func readFile(at file: StoredCatalogFile) async throws(CatalogError) {
        let isNewest = best.map { file.written >= $0.written } ?? true
        if !isNewest, try await lacksTimestamps(file) { return }
        let problem: CatalogError?
        if let found = try await inspect(file.digest) {
            guard isNewest, found.isSnapshot, isBetter(found) else { return }
            problem = try await readParts(through: found.parts)
            if problem == nil {
                best = (digest: file.digest, written: file.written)
                bestFile = found
            }
        } else {
            problem = .snapshotDamaged(file.digest)
        }
        if isNewest { damage = damage ?? problem }
    }

    mutating func result() throws(CatalogError) -> CatalogSalvage {
        try join()
        return CatalogSalvage(best: best, rows: rows, purges: purges, damage: damage)
    }

    private func isBetter(_ found: InspectedFile) -> Bool {
        guard let bestFile else { return true }
        guard found.hasTimestamps == bestFile.hasTimestamps else { return found.hasTimestamps }
        return found.entries > bestFile.entries
    }

    /// Returns whether a long file that was not read yet has no timestamps, so that its entries would not be joined.
    private func lacksTimestamps(_ file: StoredCatalogFile) async throws(CatalogError) -> Bool {
        guard file.size > Int64(store.sizes.snapshot), inspectedFiles[file.digest] == nil else { return false }
        do { return try await !(store.hasTimestamps(file.digest) ?? false) } catch {
            guard error.isDamage else { throw error }
            return true
        }
    }

    /// Reads all readable parts recursively; returns the error of an unreadable one.
    private mutating func readParts(through parts: [CatalogPart]) async throws(CatalogError) -> CatalogError? {
        var (next, known, problem) = (parts, Set<CatalogPart>(), CatalogError?.none)
        while let part = next.popLast() {
            guard known.insert(part).inserted else { continue }
            guard let size = sizes[part.digest] else {
                problem = .snapshotMissing(part.digest)
                continue
            }
            guard let found = try await inspect(part.digest), size == part.size else {
                problem = .snapshotDamaged(part.digest)
                continue
            }
            next += found.parts
        }
        return problem
    }

    private mutating func inspect(_ digest: ContentDigest) async throws(CatalogError) -> InspectedFile? {
        if let known = inspectedFiles[digest] { return known }
        let file: CatalogFile?
        do { file = try await store.readFile(digest) } catch {
            guard error.isDamage else { throw error }
            file = nil
        }
        let found = file.map { file in
            InspectedFile(
                parts: file.parts, isSnapshot: !file.hasTimestamps || file.generation != nil,
                hasTimestamps: file.hasTimestamps,
                entries: file.rows.records.count
            )
        }
        inspectedFiles.updateValue(found, forKey: digest)
        guard let file, file.hasTimestamps else { return found }
        if let purge = file.purge { purges.append(purge) }
        unjoined.append(file.rows)
        unjoinedCount += file.rows.records.count
        unjoinedBytes += Int64(file.rows.text.count)
        // Rows are joined in batches, so that each row is moved only as often as the whole doubles, and few duplicates
        // are held in memory.
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
