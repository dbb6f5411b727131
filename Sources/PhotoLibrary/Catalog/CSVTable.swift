/// Maps rows to named columns; the order in which a file has them does not matter.
struct CSVTable {
    private let columns: [String]
    private var order: [Int]?

    init(columns: [String]) { self.columns = columns }

    /// Gives the row's texts in the order of `columns`, and `nil` for the header itself.
    mutating func values(row: Int, _ fields: [[UInt8]]) throws(CatalogError) -> [String]? {
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw .malformedRow(row, .value(column: order == nil ? "header" : "text"))
            }
            texts.append(text)
        }
        guard let order else {
            try readHeader(texts)
            return nil
        }
        guard texts.count == order.count else { throw .malformedRow(row, .fieldCount) }
        return order.map { texts[$0] }
    }

    private mutating func readHeader(_ names: [String]) throws(CatalogError) {
        // Some spreadsheets put a byte order mark first.
        var names = names
        if names.first?.unicodeScalars.first == "\u{feff}" { names[0].unicodeScalars.removeFirst() }
        let unknown = names.filter { !columns.contains($0) }
        guard unknown.isEmpty else { throw .unknownColumns(unknown.map { String($0.prefix(64)) }) }
        var order: [Int] = []
        for column in columns {
            guard let index = names.firstIndex(of: column), names.lastIndex(of: column) == index else {
                throw .missingColumn(column)
            }
            order.append(index)
        }
        self.order = order
    }

    /// Whether the header was read.
    var hasHeader: Bool { order != nil }
}
