/// Reads CSV (RFC 4180) from chunks, with LF or CRLF at the ends of rows. Memory is bounded by the longest row.
struct CSVParser {
    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted, carriageReturn
    }

    /// A row may hold this many bytes and fields.
    static let rowLimit = 32 * 1024
    static let fieldLimit = 64

    private var state = State.fieldStart
    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []
    private var rowBytes = 0
    /// The row being read, counted from 1.
    private(set) var row = 1

    /// Takes the next bytes in and gives every row that they complete.
    mutating func consume(
        _ bytes: some Sequence<UInt8>, onRow: (Int, [[UInt8]]) throws(CatalogError) -> Void
    ) throws(CatalogError) {
        for byte in bytes {
            if let problem = step(byte) { throw .malformedRow(row, problem) }
            if state == .fieldStart, byte == UInt8(ascii: "\n") { try endRow(onRow) }
        }
    }

    /// The end of the bytes: a last row without a line end counts.
    mutating func finish(onRow: (Int, [[UInt8]]) throws(CatalogError) -> Void) throws(CatalogError) {
        guard state != .quoted, state != .carriageReturn else { throw .malformedRow(row, .quoting) }
        guard rowBytes > 0 else { return }
        endField()
        try endRow(onRow)
    }

    /// Ends as `fieldStart` after a line end, with the row's last field closed.
    private mutating func step(_ byte: UInt8) -> CatalogError.RowProblem? {
        rowBytes += 1
        guard rowBytes <= Self.rowLimit, fields.count < Self.fieldLimit else { return .fieldTooLong }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _): field.append(byte)
        case (.carriageReturn, UInt8(ascii: "\n")): endField()
        case (.carriageReturn, _): return .quoting
        case (.fieldStart, UInt8(ascii: "\"")): state = .quoted
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case (_, UInt8(ascii: ",")), (_, UInt8(ascii: "\n")): endField()
        case (_, UInt8(ascii: "\r")): state = .carriageReturn
        case (.quoteInQuoted, _), (_, UInt8(ascii: "\"")): return .quoting
        default:
            field.append(byte)
            state = .plain
        }
        return nil
    }

    private mutating func endField() {
        fields.append(field)
        field.removeAll(keepingCapacity: true)
        state = .fieldStart
    }

    private mutating func endRow(_ onRow: (Int, [[UInt8]]) throws(CatalogError) -> Void) throws(CatalogError) {
        let complete = fields
        fields.removeAll(keepingCapacity: true)
        rowBytes = 0
        defer { row += 1 }
        try onRow(row, complete)
    }
}
