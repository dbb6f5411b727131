import PhotoCatalog

/// The files that were in sync, sorted by the bytes of their paths. Each takes some hundred bytes, so that a million
/// fit into memory.
struct SyncedFiles: Sendable {
    private struct Record: Sendable {
        var md5: ContentDigest
        var start: UInt32
        var pathLength: UInt16
        /// The length of the entry's path, which follows the file's path; 0 if they are equal.
        var entryLength: UInt16
        var isInPlace: Bool
        var isRemoved: Bool

        var pathRange: Range<Int> { Int(start)..<Int(start) + Int(pathLength) }
        var entryRange: Range<Int> { pathRange.upperBound..<pathRange.upperBound + Int(entryLength) }
    }

    private var records: [Record] = []
    private var text: [UInt8] = []

    var count: Int { records.count }
    var isEmpty: Bool { records.isEmpty }

    subscript(index: Int) -> SyncedFile {
        let record = records[index]
        let path = LibraryPath(known: String(decoding: text[record.pathRange], as: UTF8.self))
        let entry =
            record.entryLength == 0
            ? path : LibraryPath(known: String(decoding: text[record.entryRange], as: UTF8.self))
        return SyncedFile(path: path, md5: record.md5, entryPath: entry, isSettled: record.isInPlace)
    }

    subscript(path: LibraryPath) -> SyncedFile? {
        let index = firstIndex(notBefore: path)
        guard index < records.count, isPath(path, at: index) else { return nil }
        return self[index]
    }

    /// Returns whether the file at an index has this path.
    func isPath(_ path: LibraryPath, at index: Int) -> Bool {
        path.description.utf8.elementsEqual(text[records[index].pathRange])
    }

    /// Returns whether the file at an index has this path and content, was placed there, and has the same path as its
    /// entry.
    func isInPlace(_ path: LibraryPath, _ md5: ContentDigest, at index: Int) -> Bool {
        let record = records[index]
        return record.md5 == md5 && record.isInPlace && record.entryLength == 0 && isPath(path, at: index)
    }

    private func firstIndex(notBefore path: LibraryPath) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let isBefore = text[records[middle].pathRange].lexicographicallyPrecedes(path.description.utf8)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Applies records; for each path the last one counts.
    mutating func apply(_ rows: [SyncRow]) {
        guard !rows.isEmpty else { return }
        for row in rows { append(row) }
        putInOrder()
    }

    /// Appends a record; call `putInOrder` after the last one.
    mutating func append(_ row: SyncRow) {
        switch row {
        case .inSync(let file):
            let entry = file.entryPath == file.path ? "" : file.entryPath.description
            append(file.path.description, entry, file.md5, isSettled: file.isInPlace, isGone: false)
        case .removed(let path):
            append(path.description, "", ContentDigest(high: 0, low: 0), isSettled: true, isGone: true)
        case .folder, .equal, .removedCount, .downloads: return
        }
    }

    private mutating func append(
        _ path: String, _ entry: String, _ md5: ContentDigest, isSettled: Bool, isGone: Bool
    ) {
        guard let start = UInt32(exactly: text.count) else { return }
        records.append(
            Record(
                md5: md5, start: start, pathLength: UInt16(path.utf8.count), entryLength: UInt16(entry.utf8.count),
                isInPlace: isSettled, isRemoved: isGone
            ))
        text += path.utf8
        text += entry.utf8
    }

    mutating func putInOrder() {
        let text = text
        let order = text.withUnsafeBufferPointer { text in
            let isInOrder = zip(records, records.dropFirst()).allSatisfy {
                Self.path($0, text).precedes(Self.path($1, text))
            }
            if isInOrder { return [Int]?.none }
            return records.indices.sorted { one, other in
                let order = Self.path(records[one], text).compared(to: Self.path(records[other], text))
                return order == 0 ? one < other : order < 0
            }
        }
        guard let order else { return records.removeAll(where: \.isRemoved) }
        var sorted: [Record] = []
        sorted.reserveCapacity(records.count)
        for index in order {
            let record = records[index]
            if let last = sorted.last, text[last.pathRange] == text[record.pathRange] { sorted.removeLast() }
            sorted.append(record)
        }
        records = sorted.filter { !$0.isRemoved }
    }

    private static func path(_ record: Record, _ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[record.pathRange])
    }
}

extension SyncedFiles: Sequence {
    func makeIterator() -> AnyIterator<SyncedFile> {
        var index = 0
        return AnyIterator {
            guard index < count else { return nil }
            defer { index += 1 }
            return self[index]
        }
    }
}
