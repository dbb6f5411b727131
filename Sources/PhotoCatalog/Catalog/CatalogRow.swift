/// The current row of a catalog file, with access by column.
struct CatalogRow {
    enum Column: Int {
        case path, md5, size, modified, taken, type, width, height, orientation, added, trashed, trashChanged
        case latitude, longitude, color, duration, camera
    }

    let rows: CSVRows
    let table: CSVTable

    /// The row number, counted from 1 in the block.
    var number: Int { rows.row }
    var hasTimestamps: Bool { table.optionalGroups > 0 }
    private var hasLocations: Bool { table.optionalGroups > 1 }
    private var hasColors: Bool { table.optionalGroups > 2 }
    /// Whether the file has the columns of durations and cameras.
    var hasDetails: Bool { table.optionalGroups > 3 }

    subscript(column: Column) -> UnsafeBufferPointer<UInt8> { table.field(column.rawValue, of: rows) }

    /// The path without the prefix that prevents it from being run as a formula.
    var path: UnsafeBufferPointer<UInt8> {
        let path = self[.path]
        return path.starts(with: "./".utf8) ? UnsafeBufferPointer(rebasing: path[2...]) : path
    }

    var size: Int64? { UInt64(decimal: self[.size]).flatMap { Int64(exactly: $0) } }

    /// Returns the record of the row, without its path, type and camera.
    func record() throws(CatalogError) -> CatalogRecord {
        var record = CatalogRecord()
        guard let md5 = ContentDigest(utf8: self[.md5]) else { throw problem(.md5) }
        record.md5 = md5
        if hasTimestamps { try readChanges(&record) }
        let tellsOfTrashOnly =
            hasTimestamps && self[.size].isEmpty && self[.modified].isEmpty && self[.type].isEmpty
            && self[.added].isEmpty
        if tellsOfTrashOnly { return record }
        guard let size else { throw problem(.size) }
        guard let modified = Timestamp(utf8: self[.modified]) else { throw problem(.modified) }
        (record.size, record.modified) = (size, modified)
        var media = MediaFacts()
        // Anything else, and years in which no photo was taken, count as unknown; the block keeps the text.
        if let taken = Timestamp.withOffset(utf8: self[.taken]) {
            media.taken = CaptureDate(taken.moment, offset: taken.offset)
        }
        if hasTimestamps {
            media.width = try number(.width, upTo: 1_000_000)
            media.height = try number(.height, upTo: 1_000_000)
            media.orientation = try number(.orientation, upTo: 8).map { UInt8($0) }
        }
        if hasLocations, !self[.latitude].isEmpty || !self[.longitude].isEmpty {
            media.location = GeoLocation(latitude: self[.latitude], longitude: self[.longitude])
            guard media.location != nil else { throw problem(.latitude) }
        }
        if hasColors, !self[.color].isEmpty {
            media.color = PictureColor(utf8: self[.color])
            guard media.color != nil else { throw problem(.color) }
        }
        if hasDetails, !self[.duration].isEmpty {
            media.duration = MediaDuration(utf8: self[.duration])
            guard media.duration != nil else { throw problem(.duration) }
        }
        record.media = media
        return record
    }

    private func readChanges(_ record: inout CatalogRecord) throws(CatalogError) {
        guard let added = LamportTimestamp(utf8: self[.added]) else { throw problem(.added) }
        guard let changed = LamportTimestamp(utf8: self[.trashChanged]) else { throw problem(.trashChanged) }
        (record.added, record.trashChanged) = (added, changed)
        guard !self[.trashed].isEmpty else { return }
        if self[.trashed].elementsEqual(CatalogCSV.purgedMarker.utf8) {
            record.trashed = CatalogRecord.purged
            return
        }
        guard let trashed = Timestamp(utf8: self[.trashed]).flatMap({ UInt32(exactly: $0.seconds) }),
            (1..<CatalogRecord.purged).contains(trashed)
        else { throw problem(.trashed) }
        record.trashed = trashed
    }

    /// Returns a number from 1 to the limit; `nil` if the field is empty.
    private func number(_ column: Column, upTo limit: Int32) throws(CatalogError) -> Int32? {
        guard !self[column].isEmpty else { return nil }
        guard let value = UInt64(decimal: self[column]), value >= 1, value <= UInt64(limit) else {
            throw problem(column)
        }
        return Int32(value)
    }

    func problem(_ column: Column) -> CatalogError {
        let names = CatalogCSV.columns + CatalogCSV.allOptionalColumns.joined()
        return .malformedRow(number, .value(column: names[column.rawValue]))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are valid UTF-8.
    var isUTF8: Bool {
        var all: UInt8 = 0
        for byte in self { all |= byte }
        return all < 0x80 || String(validating: self, as: UTF8.self) != nil
    }
}
