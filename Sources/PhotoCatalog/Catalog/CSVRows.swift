/// An iterator over the rows of a CSV block (RFC 4180) with LF or CRLF line endings. A block begins with a row and ends
/// with one, except at the end of a file.
///
/// The memory of the block must stay valid while this is used: fields are slices of it, and are copied only if they
/// contain doubled quotes.
struct CSVRows {
    /// The maximum number of bytes in a row and of fields in a row.
    static let rowLimit = 32 * 1024
    static let fieldLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private let storage = FieldStorage()
    /// Bytes used for copied fields of the current row.
    private var copied = 0
    /// The number of the current row, counted from 1.
    private(set) var row = 0
    /// The number of fields in the current row.
    private(set) var count = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes.bindMemory(to: UInt8.self) }

    /// A field of the current row, valid until the next row is read.
    subscript(field: Int) -> UnsafeBufferPointer<UInt8> { storage.fields[field] }

    /// Advances to the next row; returns `false` at the end.
    mutating func next() throws(CatalogError) -> Bool {
        guard position < bytes.count else { return false }
        (row, count, copied) = (row + 1, 0, 0)
        let end = min(bytes.count, position + Self.rowLimit)
        while true {
            guard count < Self.fieldLimit else { throw .malformedRow(row, .fieldTooLong) }
            let isQuoted = position < end && bytes[position] == UInt8(ascii: "\"")
            storage.fields[count] = isQuoted ? try quotedField(end) : try plainField(end)
            count += 1
            guard position < end else {
                guard end == bytes.count else { throw .malformedRow(row, .fieldTooLong) }
                return true
            }
            switch bytes[position] {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "\n"):
                position += 1
                return true
            case UInt8(ascii: "\r") where position + 1 < end && bytes[position + 1] == UInt8(ascii: "\n"):
                position += 2
                return true
            case UInt8(ascii: "\r") where position + 1 == end: throw unterminated(end)
            default: throw .malformedRow(row, .quoting)
            }
        }
    }

    /// Reads an unquoted field, up to the next delimiter.
    private mutating func plainField(_ end: Int) throws(CatalogError) -> UnsafeBufferPointer<UInt8> {
        let start = position
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return UnsafeBufferPointer(rebasing: bytes[start..<position])
            case UInt8(ascii: "\""): throw .malformedRow(row, .quoting)
            default: position += 1
            }
        }
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    private mutating func quotedField(_ end: Int) throws(CatalogError) -> UnsafeBufferPointer<UInt8> {
        let (start, first) = (position + 1, copied)
        var piece = start
        position = start
        while position < end {
            guard bytes[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            guard position + 1 < end, bytes[position + 1] == UInt8(ascii: "\"") else {
                let last = UnsafeBufferPointer(rebasing: bytes[piece..<position])
                position += 1
                guard piece > start else { return last }
                copy(last)
                return UnsafeBufferPointer(rebasing: storage.bytes[first..<copied])
            }
            copy(UnsafeBufferPointer(rebasing: bytes[piece...position]))
            position += 2
            piece = position
        }
        throw unterminated(end)
    }

    /// Copies bytes to the field buffer. The buffer has the size of the longest row, and the fields of a row are never
    /// longer than the row.
    private mutating func copy(_ piece: UnsafeBufferPointer<UInt8>) {
        _ = UnsafeMutableBufferPointer(rebasing: storage.bytes[copied...]).initialize(fromContentsOf: piece)
        copied += piece.count
    }

    /// Returns the error for a row that does not end: it is too long, or the file ends within it.
    private func unterminated(_ end: Int) -> CatalogError {
        .malformedRow(row, end == bytes.count ? .quoting : .fieldTooLong)
    }

    /// The memory for the fields of the current row.
    private final class FieldStorage {
        let fields = UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>.allocate(capacity: fieldLimit)
        // Only what is copied is initialized: most rows have no doubled quotes, and there are many small blocks.
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: rowLimit)

        init() { fields.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0)) }

        deinit {
            fields.deallocate()
            bytes.deallocate()
        }
    }
}
