#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a library knows of its photos: for each content at each path its facts, and whether it is in the trash.
///
/// Merging two catalogs is a join: its outcome does not depend on who merges what with what, in which order or how
/// often, and no clock decides it. Held in two arrays, so that a million entries take about 150 MB.
package struct Catalog: Sendable {
    /// In the order of the paths' bytes and then of the contents; no two have both in common.
    var records: [CatalogRecord] = []
    /// The bytes of the records' paths.
    var text: [UInt8] = []
    /// The types that records name by their place here.
    var types: [MediaType] = []
    /// The capture dates that are no possible dates, which records name by their place here.
    var unreadDates: [[UInt8]] = []
    /// The entries that stand in the library.
    package internal(set) var count = 0
    /// The largest counter of any stamp.
    var highestCounter: UInt64 = 0

    package init() {}

    /// Whether nothing was ever added.
    package var isEmpty: Bool { records.isEmpty }

    /// About how much memory it takes.
    package var bytesInMemory: Int {
        let types = types.reduce(0) { $0 + 64 + $1.description.utf8.count }
        let dates = unreadDates.reduce(0) { $0 + 32 + $1.count }
        return records.count * MemoryLayout<CatalogRecord>.stride + text.count + types + dates
    }

    /// What stands in the library, in the order of the paths that are shown.
    package var entries: CatalogEntries { CatalogEntries(self) }

    /// What is in the trash, in the order of its paths; several contents may have one path there.
    package var trash: CatalogEntries { CatalogEntries(trashOf: self) }

    /// Each content of the library with its length.
    package var contents: CatalogContents { CatalogContents(self, where: \.isAlive) }

    /// The same with those in the trash.
    package var contentsWithTrash: CatalogContents { CatalogContents(self, where: { $0.isAlive || $0.isInTrash }) }

    /// The same with those that were deleted from there for good.
    package var contentsEver: CatalogContents { CatalogContents(self, where: \.hasFacts) }

    /// What stands at a path: of several contents the one that has the name, and none where a folder has it.
    package subscript(path: LibraryPath) -> CatalogEntry? {
        let alive = range(of: path).filter { records[$0].isAlive }
        if !alive.isEmpty, isFolder(path) { return nil }
        return alive.max { records[$0].yields(to: records[$1]) }.map { entry(at: $0) }
    }

    /// Whether this content stands at this path, under the name or beside another.
    package func holds(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        index(of: path, md5).map { records[$0].isAlive } ?? false
    }

    /// Those of some contents that stand in the library, wherever.
    package func standing(_ contents: Set<ContentDigest>) -> Set<ContentDigest> {
        var found: Set<ContentDigest> = []
        for record in records where record.isAlive && contents.contains(record.md5) { found.insert(record.md5) }
        return found
    }

    /// What is known of a content at some path, in the trash or not.
    func known(_ md5: ContentDigest) -> CatalogEntry? {
        records.firstIndex { $0.md5 == md5 && $0.hasFacts }.map { entry(at: $0) }
    }

    /// Whether a content was put away at this path, be it only into the trash.
    func isAway(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        index(of: path, md5).map { records[$0].trashed > 0 } ?? false
    }

    /// Whether no other device is known to have put a content at a path. A stamp tells who added it last.
    func isOnly(_ device: DeviceTag, _ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].hasFacts else { return true }
        return device != .none && records[index].added.device == device
    }

    /// Whether a device that had brought a content to a path may put another one in its place: nobody else has said since
    /// that he has it there, too.
    func mayReplace(_ path: LibraryPath, _ md5: ContentDigest, by device: DeviceTag) -> Bool {
        guard let index = index(of: path, md5) else { return false }
        return [device, .none].contains(records[index].added.device)
    }

    /// Whether a content went to the trash because another one came in its place, and not because a person put it there:
    /// both have one stamp. The other one may itself have been replaced since, but not put away by a person.
    func isReplaced(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].trashed > 0 else { return false }
        let range = range(of: path)
        // Whoever replaces has the larger stamp, so this ends.
        var stamp = ChangeStamp.zero
        var record = records[index]
        while record.trashChanged > stamp {
            stamp = record.trashChanged
            guard let next = range.first(where: { records[$0].hasFacts && records[$0].added == stamp }) else {
                return false
            }
            record = records[next]
            if record.isAlive { return true }
        }
        return false
    }

    /// Whether a content can be taken out of the trash at this path.
    func hasInTrash(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        index(of: path, md5).map { records[$0].isInTrash } ?? false
    }

    /// Whether a content was deleted from the trash for good, and not because another one had come in its place: then it
    /// is nobody's to bring back but a person's.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].isPurged else { return false }
        return !isReplaced(path, md5)
    }

    func entry(at index: Int, shownAs path: LibraryPath? = nil) -> CatalogEntry {
        let record = records[index]
        return CatalogEntry(
            path: path ?? self.path(at: index), md5: record.md5, size: record.size, modified: record.modified,
            type: types[Int(record.type)], media: record.media
        )
    }

    func path(at index: Int) -> LibraryPath {
        LibraryPath(known: String(decoding: text[records[index].pathRange], as: UTF8.self))
    }

    func index(of path: LibraryPath, _ md5: ContentDigest) -> Int? {
        range(of: path).first { records[$0].md5 == md5 }
    }

    /// The records of a path.
    func range(of path: LibraryPath) -> Range<Int> {
        var name = path.description
        return name.withUTF8 { name in
            withPaths { paths in
                let first = partition { paths[$0].precedes(name) }
                let end = partition { !name.precedes(paths[$0]) }
                return first..<max(first, end)
            }
        }
    }

    /// The first index of which `isBefore` does not hold; it holds up to there and no further.
    func partition(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Gives the bytes of all paths, by their records' indices.
    func withPaths<Result>(_ work: (CatalogPaths) -> Result) -> Result {
        records.withUnsafeBufferPointer { records in
            text.withUnsafeBufferPointer { text in work(CatalogPaths(records: records, text: text)) }
        }
    }
}

/// The bytes of a catalog's paths while it is open.
struct CatalogPaths {
    let records: UnsafeBufferPointer<CatalogRecord>
    let text: UnsafeBufferPointer<UInt8>

    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[records[index].pathRange])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// -1, 0 or 1, in the order of the bytes.
    func compared(to other: UnsafeBufferPointer<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let mine = baseAddress, let theirs = other.baseAddress {
            let order = memcmp(mine, theirs, common)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return (count > other.count ? 1 : 0) - (count < other.count ? 1 : 0)
    }

    func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool { compared(to: other) < 0 }
}

extension CatalogRecord {
    /// Of two contents at one path the newer modification date has the name, and the larger MD5 if they are equal.
    func yields(to other: CatalogRecord) -> Bool {
        modified == other.modified ? md5 < other.md5 : modified < other.modified
    }
}

extension Catalog: Equatable {
    package static func == (left: Catalog, right: Catalog) -> Bool {
        guard left.records.count == right.records.count, left.count == right.count else { return false }
        return left.withPaths { mine in
            right.withPaths { theirs in
                left.records.indices.allSatisfy { index in
                    let (one, other) = (left.records[index], right.records[index])
                    return one.says(other) && mine[index].compared(to: theirs[index]) == 0
                        && (!one.hasFacts || left.types[Int(one.type)] == right.types[Int(other.type)])
                        && left.unreadDate(of: one) == right.unreadDate(of: other)
                }
            }
        }
    }
}
