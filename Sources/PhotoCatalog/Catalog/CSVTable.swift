import NIOCore

/// The mapping of columns to the fields of a row. A file may have its columns in any order.
struct CSVTable: Sendable {
    /// The number of fields in each row.
    let width: Int
    /// The number of groups of optional columns that the file has.
    let optionalGroups: Int
    private let order: [Int]

    /// Reads the header, which is the current row.
    /// - Parameter optional: Groups of further columns. A file with one column of a group has all of it and of the
    ///   groups before.
    init(header rows: CSVRows, columns: [String], optional: [[String]] = []) throws(CatalogError) {
        var names: [String] = []
        for field in 0..<rows.count {
            guard let name = String(validating: rows[field], as: UTF8.self) else {
                throw .malformedRow(rows.row, .value(column: "header"))
            }
            names.append(name)
        }
        // Some spreadsheets write a byte order mark first.
        if names.first?.unicodeScalars.first == "\u{feff}" { names[0].unicodeScalars.removeFirst() }
        // Files of a newer version have additional columns; a file that lacks a required one is not a catalog.
        if let missing = columns.first(where: { !names.contains($0) }) { throw .missingColumn(missing) }
        let unknown = names.filter { name in
            !columns.contains(name) && !optional.contains { $0.contains(name) }
        }
        guard unknown.isEmpty else { throw .unknownColumns(unknown.map { String($0.prefix(64)) }) }
        optionalGroups = (optional.lastIndex { $0.contains(where: names.contains) } ?? -1) + 1
        var order: [Int] = []
        for column in columns + optional[..<optionalGroups].joined() {
            guard let index = names.firstIndex(of: column), names.lastIndex(of: column) == index else {
                throw .missingColumn(column)
            }
            order.append(index)
        }
        self.order = order
        width = names.count
    }

    /// Returns the current row's field of a column.
    func field(_ column: Int, of rows: CSVRows) -> UnsafeBufferPointer<UInt8> { rows[order[column]] }
}
