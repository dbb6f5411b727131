import Foundation

/// Collects one page of an upload listing from records in any order. Holds one page and one entry in memory.
struct UploadPage: Sendable {
    /// An upload, or all uploads whose keys begin with a common prefix.
    struct Entry: Sendable {
        /// The key or the common prefix.
        let name: String
        /// `nil` for a common prefix.
        let upload: (id: String, initiated: Date, checksum: UploadChecksum?)?

        var id: String { upload?.id ?? "" }

        /// Returns whether it sorts first: by the bytes of the name, then by the id.
        func precedes(_ name: String, _ id: String) -> Bool {
            self.name.utf8.elementsEqual(name.utf8)
                ? self.id.utf8.lexicographicallyPrecedes(id.utf8)
                : self.name.utf8.lexicographicallyPrecedes(name.utf8)
        }
    }

    private let query: UploadListQuery
    private var found: [Entry] = []

    init(_ query: UploadListQuery) { self.query = query }

    var entries: ArraySlice<Entry> { found.prefix(query.limit) }
    var isTruncated: Bool { query.limit > 0 && found.count > query.limit }

    mutating func add(_ id: String, _ record: UploadRecord) {
        guard record.key.utf8.starts(with: query.prefix.utf8) else { return }
        let common = CommonPrefix.of(record.key, prefix: query.prefix, delimiter: query.delimiter)
        let entry =
            common.map { Entry(name: $0, upload: nil) }
            ?? Entry(name: record.key, upload: (id, record.initiated, record.checksum))
        guard isBehindMarker(entry) else { return }
        let index = firstIndex(notBefore: entry)
        if common != nil, index < found.count, found[index].name.utf8.elementsEqual(entry.name.utf8),
            found[index].upload == nil
        {
            return
        }
        guard index <= query.limit else { return }
        found.insert(entry, at: index)
        // One entry more than the page holds shows that there are more.
        if found.count > query.limit + 1 { found.removeLast() }
    }

    private func isBehindMarker(_ entry: Entry) -> Bool {
        if query.keyMarker.isEmpty { return true }
        // Without an id, all uploads of the marker's key precede this page.
        if query.idMarker.isEmpty { return query.keyMarker.utf8.lexicographicallyPrecedes(entry.name.utf8) }
        return !entry.precedes(query.keyMarker, query.idMarker)
            && !(entry.name.utf8.elementsEqual(query.keyMarker.utf8) && entry.id == query.idMarker)
    }

    private func firstIndex(notBefore entry: Entry) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if found[middle].precedes(entry.name, entry.id) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
