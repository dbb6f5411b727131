#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The catalog of a library: for each content at each path its facts, and whether it is in the trash.
///
/// Merging two catalogs is a join: the result does not depend on who merges, in which order or how often, nor on any
/// clock. Records are stored in two arrays, so that a million entries take about 160 MB.
package struct Catalog: Sendable {
    /// Sorted by the bytes of their paths, then by content. No two records have the same path and content.
    package var records: [CatalogRecord] = []
    /// The bytes of the records' paths.
    var text: [UInt8] = []
    /// The media types, which records reference by index.
    var types: [MediaType] = []
    /// The capture dates that are no possible dates, which records name by their place here.
    var unreadDates: [[UInt8]] = []
    /// The names of the cameras, each once, which records name by their index in `CatalogRecord.camera`. No record may have
    /// some of them: names remain when the last record with them is removed or takes another one.
    package internal(set) var cameras: [CameraName] = []
    /// The entries that stand in the library.
    package internal(set) var count = 0
    /// The largest counter of any Lamport timestamp.
    package var highestCounter: UInt64 = 0

    package init() {}

    /// Creates a catalog without records that has the types, unread dates and cameras of another one.
    init(namesOf other: Catalog) {
        (types, unreadDates, cameras) = (other.types, other.unreadDates, other.cameras)
    }

    /// Whether nothing was ever added.
    package var isEmpty: Bool { records.isEmpty }

    /// The approximate number of bytes in memory.
    package var bytesInMemory: Int {
        let types = types.reduce(0) { $0 + 64 + $1.description.utf8.count }
        let dates = unreadDates.reduce(0) { $0 + 32 + $1.count }
        let cameras = cameras.reduce(0) { $0 + 32 + $1.description.utf8.count }
        return records.count * MemoryLayout<CatalogRecord>.stride + text.count + types + dates + cameras
    }

    /// The entries in the library, in the order of the paths under which they are shown.
    package var entries: CatalogEntries { CatalogEntries(self) }

    /// The entries in the trash, in the order of their paths. Several contents may have the same path there.
    package var trash: CatalogEntries { CatalogEntries(trashOf: self) }

    /// The contents of the library with their lengths in bytes.
    package var contents: CatalogContents { CatalogContents(self, where: \.isPresent) }

    /// The contents of the library and the trash.
    package var contentsWithTrash: CatalogContents { CatalogContents(self, where: { $0.isPresent || $0.isInTrash }) }

    /// The contents of the library and the trash, and those that were permanently deleted.
    package var contentsEver: CatalogContents { CatalogContents(self, where: \.hasFacts) }

    /// The entry at a path: if there are several contents, the one shown under this path; `nil` if the path is also a
    /// folder.
    package subscript(path: LibraryPath) -> CatalogEntry? {
        let alive = range(of: path).filter { records[$0].isPresent }
        if !alive.isEmpty, isFolder(path) { return nil }
        return alive.max { records[$0].yields(to: records[$1]) }.map { entry(at: $0) }
    }

    /// Returns whether the library has this content at this path, shown under it or beside another one.
    package func holds(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        index(of: path, md5).map { records[$0].isPresent } ?? false
    }

    /// Returns whether a photo at this path would stand beside another one: other contents than the given ones are there, a
    /// folder, or a file in place of one of its folders.
    package func isTaken(_ path: LibraryPath, except contents: Set<ContentDigest>) -> Bool {
        if range(of: path).contains(where: { records[$0].isPresent && !contents.contains(records[$0].md5) }) {
            return true
        }
        if isFolder(path) { return true }
        return path.ancestors.contains { folder in range(of: folder).contains { records[$0].isPresent } }
    }

    /// Returns the contents that are or were at a path, those in the trash and the deleted ones included, with their
    /// lengths in bytes; the length is `nil` where it is not known.
    package func contentsEver(at path: LibraryPath) -> [(md5: ContentDigest, size: Int64?)] {
        range(of: path).map { (records[$0].md5, records[$0].hasFacts ? records[$0].size : nil) }
    }

    /// Returns those of the given contents that are in the library at any path.
    package func presentContents(_ contents: Set<ContentDigest>) -> Set<ContentDigest> {
        var found: Set<ContentDigest> = []
        for record in records where record.isPresent && contents.contains(record.md5) { found.insert(record.md5) }
        return found
    }

    /// Returns what is known of contents at any path, in the trash or not. One pass over all records.
    func firstEntries(of contents: Set<ContentDigest>) -> [ContentDigest: CatalogEntry] {
        var found: [ContentDigest: Int] = [:]
        records.withUnsafeBufferPointer { records in
            for index in records.indices where contents.contains(records[index].md5) && records[index].hasFacts {
                if found[records[index].md5] == nil { found[records[index].md5] = index }
                if found.count == contents.count { return }
            }
        }
        return found.mapValues { entry(at: $0) }
    }

    /// How a content was removed at a path.
    enum Removal { case inTrash, deleted }

    /// Returns how a content was removed at this path; `nil` if it was not.
    func removal(_ path: LibraryPath, _ md5: ContentDigest) -> Removal? {
        guard let index = index(of: path, md5), records[index].trashed > 0 else { return nil }
        return records[index].isPurged ? .deleted : .inTrash
    }

    /// Returns whether no other device is known to have added a content at a path. The timestamp identifies the last
    /// device that added it.
    package func isOnlyDevice(_ device: DeviceTag, _ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].hasFacts else { return true }
        return device != .none && records[index].added.device == device
    }

    /// Returns whether a device added an entry after a counter, and the entry is not in the trash.
    package func isAddition(_ entry: EntryIdentity, by device: DeviceTag, after counter: UInt64) -> Bool {
        guard let index = index(of: entry), records[index].isPresent else { return false }
        return records[index].added.device == device && records[index].added.counter > counter
    }

    /// Returns whether a device that had added a content at a path may replace it: no other device has since added the
    /// same content there.
    package func mayReplace(_ path: LibraryPath, _ md5: ContentDigest, by device: DeviceTag) -> Bool {
        guard let index = index(of: path, md5) else { return false }
        return [device, .none].contains(records[index].added.device)
    }

    /// Returns whether a content was moved to the trash because another one replaced it, and not because the user put
    /// it there: both changes have the same timestamp. The replacement may itself have been replaced since, but not
    /// removed by a user.
    package func isReplaced(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].trashed > 0 else { return false }
        let range = range(of: path)
        // A replacement has a larger timestamp, so the loop ends.
        var timestamp = LamportTimestamp.zero
        var record = records[index]
        while record.trashChanged > timestamp {
            timestamp = record.trashChanged
            guard let next = range.first(where: { records[$0].hasFacts && records[$0].added == timestamp }) else {
                return false
            }
            record = records[next]
            if record.isPresent { return true }
        }
        return false
    }

    /// Returns whether a content can be restored from the trash at this path.
    package func hasInTrash(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        index(of: path, md5).map { records[$0].isInTrash } ?? false
    }

    /// Returns whether a content can be restored from the trash at this path, to which a device moved it last.
    package func isTrashed(_ path: LibraryPath, _ md5: ContentDigest, by device: DeviceTag) -> Bool {
        index(of: path, md5).map { records[$0].isInTrash && records[$0].trashChanged.device == device } ?? false
    }

    /// Returns whether a content was permanently deleted from the trash, and not after being replaced by another one.
    /// Only a user can add it again.
    package func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard let index = index(of: path, md5), records[index].isPurged else { return false }
        return !isReplaced(path, md5)
    }

    package func entry(at index: Int, shownAs path: LibraryPath? = nil) -> CatalogEntry {
        let record = records[index]
        return CatalogEntry(
            path: path ?? self.path(at: index), md5: record.md5, size: record.size, modified: record.modified,
            type: types[Int(record.type)], media: media(of: record)
        )
    }

    /// Returns the camera of a record of this catalog.
    func camera(of record: CatalogRecord) -> CameraName? { record.camera.map { cameras[$0] } }

    /// Returns the facts of a record of this catalog, with the camera.
    func media(of record: CatalogRecord) -> MediaFacts {
        var media = record.media
        media.camera = camera(of: record)
        return media
    }

    func path(at index: Int) -> LibraryPath {
        LibraryPath(known: String(decoding: text[records[index].pathRange], as: UTF8.self))
    }

    package func index(of path: LibraryPath, _ md5: ContentDigest) -> Int? {
        range(of: path).first { records[$0].md5 == md5 }
    }

    /// Returns the indices of the records at a path.
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

    /// Returns the first index for which `isBefore` is false. It must be true for all indices before it, and false from
    /// there on.
    func partition(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Calls a closure with the bytes of all paths, indexed like the records.
    func withPaths<Result>(_ work: (CatalogPaths) -> Result) -> Result {
        records.withUnsafeBufferPointer { records in
            text.withUnsafeBufferPointer { text in work(CatalogPaths(records: records, text: text)) }
        }
    }
}

/// The bytes of a catalog's paths, valid within `withPaths`.
struct CatalogPaths {
    let records: UnsafeBufferPointer<CatalogRecord>
    let text: UnsafeBufferPointer<UInt8>

    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[records[index].pathRange])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns -1, 0 or 1, comparing byte by byte.
    package func compared(to other: UnsafeBufferPointer<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let mine = baseAddress, let theirs = other.baseAddress {
            let order = memcmp(mine, theirs, common)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return (count > other.count ? 1 : 0) - (count < other.count ? 1 : 0)
    }

    package func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool { compared(to: other) < 0 }
}

extension CatalogRecord {
    /// Returns whether another content at the same path has precedence for the name: the one with the newer
    /// modification date or, if they are equal, with the larger MD5.
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
                    return one.hasSameValues(other) && mine[index].compared(to: theirs[index]) == 0
                        && (!one.hasFacts || left.types[Int(one.type)] == right.types[Int(other.type)])
                        && left.unreadDate(of: one) == right.unreadDate(of: other)
                        && left.camera(of: one) == right.camera(of: other)
                }
            }
        }
    }
}
