import NIOCore

/// A catalog as a CSV file: one header, then one row for each entry in the order of the paths' bytes, so that equal
/// catalogs are equal bytes.
///
/// A path that begins with `=`, `+`, `-`, `@`, a tab or a line break would run as a formula in a spreadsheet; it is
/// written with `./` before it, which no path in a catalog can begin with itself.
package enum CatalogCSV {
    static let columns = ["path", "md5", "size", "modified", "taken", "type"]

    package static func encode(_ catalog: Catalog) -> ByteBuffer {
        var writer = CSVWriter()
        writer.row(columns)
        for entry in catalog.entries {
            writer.row([
                guarded(entry.path.description), entry.md5.description, String(entry.size),
                entry.modified.description, entry.taken?.description ?? "", entry.type.description,
            ])
        }
        return writer.bytes
    }

    private static func guarded(_ path: String) -> String {
        let starters = "=+-@\t\r\n"
        return path.unicodeScalars.first.map(starters.unicodeScalars.contains) == true ? "./\(path)" : path
    }

    /// Reads a catalog piece by piece, refusing what breaks the form; what it says is a stranger's word.
    package struct Decoder {
        /// At most this many entries are read.
        package static let entryLimit = 2_000_000

        private var parser = CSVParser()
        private var table = CSVTable(columns: columns)
        private var catalog = Catalog()

        package init() {}

        package mutating func consume(_ bytes: ByteBuffer) throws(CatalogError) {
            var (table, catalog) = (table, catalog)
            // The parser's rows go into copies that nothing else holds, so no row is copied twice.
            self.table = CSVTable(columns: [])
            self.catalog = Catalog()
            try parser.consume(bytes.readableBytesView) { row, fields throws(CatalogError) in
                try Self.take(row, fields, &table, &catalog)
            }
            (self.table, self.catalog) = (table, catalog)
        }

        package mutating func finish() throws(CatalogError) -> Catalog {
            var (table, catalog) = (table, catalog)
            try parser.finish { row, fields throws(CatalogError) in try Self.take(row, fields, &table, &catalog) }
            guard table.hasHeader else { throw .missingColumn(columns[0]) }
            return catalog
        }

        private static func take(
            _ row: Int, _ fields: [[UInt8]], _ table: inout CSVTable, _ catalog: inout Catalog
        ) throws(CatalogError) {
            guard let values = try table.values(row: row, fields) else { return }
            let entry = try entry(row: row, values)
            guard catalog.insert(entry) == nil else { throw .malformedRow(row, .repeatedPath) }
            guard catalog.count <= entryLimit else { throw .tooLarge }
        }

        private static func entry(row: Int, _ values: [String]) throws(CatalogError) -> CatalogEntry {
            func value<Value>(_ value: Value?, _ column: Int) throws(CatalogError) -> Value {
                guard let value else { throw .malformedRow(row, .value(column: columns[column])) }
                return value
            }
            let isGuarded = values[0].utf8.starts(with: "./".utf8)
            let path = isGuarded ? String(values[0].unicodeScalars.dropFirst(2)) : values[0]
            let size = try value(Int64(values[2]), 2)
            return CatalogEntry(
                path: try value(LibraryPath(path), 0), md5: try value(ContentDigest(values[1]), 1),
                size: try value(size >= 0 ? size : nil, 2), modified: try value(Timestamp(values[3]), 3),
                taken: values[4].isEmpty ? nil : try value(Timestamp(values[4]), 4),
                type: try value(MediaType(values[5]), 5)
            )
        }
    }
}
