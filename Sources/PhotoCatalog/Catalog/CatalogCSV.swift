import NIOCore

/// The CSV form of a catalog: a header, then one row for each entry, sorted by the bytes of the path and then by MD5,
/// so that equal catalogs have equal bytes.
///
/// A spreadsheet would run a path that begins with `=`, `+`, `-`, `@`, a tab or a line break as a formula. Such a path
/// is written with the prefix `./`, which no path in a catalog has. Paths that begin with `.photolala` are not photos:
/// they name the file's parts, its generation and the last purge.
package enum CatalogCSV {
    static let columns = ["path", "md5", "size", "modified", "taken", "type"]
    /// Columns added later; files without them remain readable.
    static let optionalColumns = ["width", "height", "orientation", "added", "trashed", "trash_changed"]
    /// Columns of a file with at least one location. Earlier versions refuse such a file.
    static let locationColumns = ["latitude", "longitude"]
    /// Column of a file with at least one color, which then also has those of locations.
    static let colorColumns = ["color"]
    /// Columns of a file with at least one duration or camera, which then also has those of locations and colors.
    static let detailColumns = ["duration", "camera"]
    static let allOptionalColumns = [optionalColumns, locationColumns, colorColumns, detailColumns]
    /// The maximum number of entries that are read, in all files together.
    package static let entryLimit = 8_000_000
    static let generationPath = "\(LibraryPath.reservedPrefix).origin"
    static let purgePath = "\(LibraryPath.reservedPrefix).purge"
    /// Marks purged contents, in the column of the trash date.
    static let purgedMarker = "purged"
    static let partType = "text/csv"

    /// Returns a whole catalog as one file.
    package static func encode(_ catalog: Catalog) -> ByteBuffer {
        var file = CatalogFile()
        file.rows = catalog
        return encode(file)
    }

    package static func encode(_ file: CatalogFile) -> ByteBuffer {
        var writer = CSVWriter()
        let hasDetails = file.rows.records.contains { $0.duration != nil || $0.camera != nil }
        let hasColors = hasDetails || file.rows.records.contains { $0.color != nil }
        let hasLocations = hasColors || file.rows.records.contains { $0.location != nil }
        let groups = [
            hasLocations ? locationColumns : [], hasColors ? colorColumns : [], hasDetails ? detailColumns : [],
        ]
        let further = groups.flatMap(\.self)
        writer.writeRow(columns + optionalColumns + further)
        var own = metadataRows(of: file).map { $0 + further.map { _ in "" } }[...]
        file.rows.withPaths { paths in
            for (index, record) in file.rows.records.enumerated() {
                while let row = own.first, row[0].utf8.lexicographicallyPrecedes(paths[index]) {
                    writer.writeRow(row)
                    own.removeFirst()
                }
                write(record, paths[index], file.rows, further: further.count, to: &writer)
            }
        }
        for row in own { writer.writeRow(row) }
        return writer.bytes
    }

    /// Returns the rows that are not photos, sorted by path.
    private static func metadataRows(of file: CatalogFile) -> [[String]] {
        var rows = file.parts.map { part in
            var added: [UInt8] = []
            LamportTimestamp(counter: part.counter, device: .none).write(to: &added)
            return [
                part.path, part.digest.description, String(part.size), "", "", partType, "", "", "",
                String(decoding: added, as: UTF8.self), "", "",
            ]
        }
        if let origin = file.generation {
            rows.append([generationPath, origin.description] + Array(repeating: "", count: 10))
        }
        if let purge = file.purge {
            let until = purge.until?.description ?? ""
            rows.append([purgePath, purge.id.description, "", until] + Array(repeating: "", count: 8))
        }
        return rows.sorted { $0[0] < $1[0] }
    }

    private static func write(
        _ record: CatalogRecord, _ path: UnsafeBufferPointer<UInt8>, _ rows: Catalog, further: Int,
        to writer: inout CSVWriter
    ) {
        let isFormula = path.first.map("=+-@\t\r\n".utf8.contains) ?? false
        if isFormula { writer.writeText(Array("./".utf8) + path) } else { writer.writeText(path) }
        writer.writePlain { row in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
                record.md5.write(to: digits)
                row.append(contentsOf: digits)
            }
        }
        let media = record.media
        writer.writePlain { if record.hasFacts { $0.append(decimal: UInt64(record.size)) } }
        writer.writePlain { if record.hasFacts { record.modified.write(to: &$0) } }
        if let text = rows.unreadDate(of: record) {
            writer.writeText(text)
        } else {
            writer.writePlain { media.taken?.write(to: &$0) }
        }
        writer.writePlain {
            if record.hasFacts { $0.append(contentsOf: rows.types[Int(record.type)].description.utf8) }
        }
        writer.writePlain { if let width = media.width { $0.append(decimal: UInt64(width)) } }
        writer.writePlain { if let height = media.height { $0.append(decimal: UInt64(height)) } }
        writer.writePlain { if let orientation = media.orientation { $0.append(decimal: UInt64(orientation)) } }
        writer.writePlain { record.added.write(to: &$0) }
        writer.writePlain {
            if record.isPurged {
                $0.append(contentsOf: purgedMarker.utf8)
            } else if record.trashed > 0 {
                Timestamp(seconds: Int64(record.trashed), nanoseconds: 0).write(to: &$0)
            }
        }
        writer.writePlain { record.trashChanged.write(to: &$0) }
        if further >= locationColumns.count {
            writer.writePlain { record.location?.writeLatitude(to: &$0) }
            writer.writePlain { record.location?.writeLongitude(to: &$0) }
        }
        if further > locationColumns.count { writer.writePlain { media.color?.write(to: &$0) } }
        if further > locationColumns.count + colorColumns.count {
            writer.writePlain {
                if let duration = record.duration { $0.append(decimal: UInt64(duration.milliseconds)) }
            }
            writer.writeText((rows.camera(of: record)?.description ?? "").utf8)
        }
        writer.endRow()
    }
}
