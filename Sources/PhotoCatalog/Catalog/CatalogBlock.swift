import NIOCore

/// One block of a catalog file, read independently. Its content is untrusted.
struct CatalogBlock: Sendable {
    private(set) var records: [CatalogRecord] = []
    private(set) var text: [UInt8] = []
    private(set) var types = ValueTable<MediaType>()
    private(set) var unreadDates = UnreadDates()
    private(set) var cameras = ValueTable<CameraName>()
    private(set) var parts: [CatalogPart] = []
    private(set) var generation: ContentDigest?
    private(set) var purge: CatalogPurge?
    /// The numbers of the rows that are not entries, counted from 1 in this block.
    private(set) var metadataRows: [Int] = []
    /// The number of all rows, including the header if it is in this block.
    private(set) var rows = 0
    /// Whether the entries are sorted.
    private(set) var isSorted = true
    private(set) var table: CSVTable?

    /// - Parameter table: The parsed header; `nil` for the first block, which begins with it.
    /// - Throws: `CatalogError`, with row numbers counted from the start of this block.
    static func read(_ bytes: ByteBuffer, table: CSVTable?) throws(CatalogError) -> CatalogBlock {
        var block = CatalogBlock()
        let result = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(CatalogError) in try block.readRows(bytes, table) }
        }
        try result.get()
        return block
    }

    private mutating func readRows(_ bytes: UnsafeRawBufferPointer, _ known: CSVTable?) throws(CatalogError) {
        var rows = CSVRows(bytes)
        if known == nil {
            guard try rows.next() else { throw .missingColumn(CatalogCSV.columns[0]) }
            table = try CSVTable(header: rows, columns: CatalogCSV.columns, optional: CatalogCSV.allOptionalColumns)
        }
        guard let table = known ?? table else { return }
        records.reserveCapacity(bytes.count / 100)
        text.reserveCapacity(bytes.count / 3)
        while try rows.next() {
            guard rows.count == table.width else { throw .malformedRow(rows.row, .fieldCount) }
            try append(CatalogRow(rows: rows, table: table))
        }
        self.rows = rows.row
    }

    private mutating func append(_ row: CatalogRow) throws(CatalogError) {
        let path = row.path
        if path.starts(with: LibraryPath.reservedPrefix.utf8) {
            try appendMetadataRow(row, path)
            return
        }
        guard LibraryPath.isLegal(path), path.isUTF8 else { throw row.problem(.path) }
        var record = try row.record()
        if record.hasFacts {
            record.type = try typeIndex(of: row)
            if row.hasDetails, !row[.camera].isEmpty { record.camera = try cameraIndex(of: row) }
            if !row[.taken].isEmpty, record.media.taken == nil {
                record.unreadDate = unreadDates.index(of: Array(row[.taken]))
            }
        }
        record.pathStart = UInt32(text.count)
        record.pathLength = UInt16(path.count)
        if isSorted, let last = records.last {
            isSorted = text.withUnsafeBufferPointer { text in
                let order = UnsafeBufferPointer(rebasing: text[last.pathRange]).compared(to: path)
                return order < 0 || (order == 0 && last.md5 < record.md5)
            }
        }
        text.append(contentsOf: path)
        records.append(record)
    }

    private mutating func typeIndex(of row: CatalogRow) throws(CatalogError) -> UInt32 {
        let index = types.index(ofText: row[.type]) { MediaType(String(decoding: $0, as: UTF8.self)) }
        guard let index else { throw row.problem(.type) }
        return index
    }

    private mutating func cameraIndex(of row: CatalogRow) throws(CatalogError) -> Int {
        guard let index = cameras.index(ofText: row[.camera], CameraName.init(utf8:)) else {
            throw row.problem(.camera)
        }
        return Int(index)
    }

    /// Reads a row that is not a photo: a part, the generation of the file, or the last purge.
    private mutating func appendMetadataRow(_ row: CatalogRow, _ path: UnsafeBufferPointer<UInt8>) throws(CatalogError)
    {
        metadataRows.append(row.number)
        guard let digest = ContentDigest(utf8: row[.md5]) else { throw row.problem(.md5) }
        if row.hasTimestamps, path.elementsEqual(CatalogCSV.generationPath.utf8) {
            guard generation == nil else { throw .malformedRow(row.number, .repeatedPath) }
            generation = digest
            return
        }
        if row.hasTimestamps, path.elementsEqual(CatalogCSV.purgePath.utf8) {
            guard purge == nil else { throw .malformedRow(row.number, .repeatedPath) }
            let until = Timestamp(utf8: row[.modified])
            guard until != nil || row[.modified].isEmpty else { throw row.problem(.modified) }
            purge = CatalogPurge(id: digest, until: until)
            return
        }
        guard row.hasTimestamps, row[.type].elementsEqual(CatalogCSV.partType.utf8), let size = row.size,
            let added = LamportTimestamp(utf8: row[.added])
        else { throw row.problem(.path) }
        // No part is longer, and sums of sizes up to this limit do not overflow.
        guard size <= CatalogSizes.longest else { throw row.problem(.size) }
        let part = CatalogPart(digest: digest, size: size, counter: added.counter)
        guard path.elementsEqual(part.path.utf8) else { throw row.problem(.path) }
        parts.append(part)
    }
}
