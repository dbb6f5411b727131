import NIOCore

/// A writer of CSV (RFC 4180) with LF line endings, for line-based tools and spreadsheets.
struct CSVWriter {
    private(set) var bytes = ByteBuffer()
    private var row: [UInt8] = []
    private var isFirst = true

    /// Appends a row of texts.
    mutating func writeRow(_ fields: [String]) {
        for field in fields { writeText(field.utf8) }
        endRow()
    }

    /// Appends a field with arbitrary bytes.
    mutating func writeText(_ field: some Collection<UInt8>) {
        let special = field.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        writePlain { row in
            guard special else {
                row.append(contentsOf: field)
                return
            }
            row.append(UInt8(ascii: "\""))
            for byte in field {
                if byte == UInt8(ascii: "\"") { row.append(byte) }
                row.append(byte)
            }
            row.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a field that needs no quotes.
    mutating func writePlain(_ write: (inout [UInt8]) -> Void) {
        if !isFirst { row.append(UInt8(ascii: ",")) }
        isFirst = false
        write(&row)
    }

    mutating func endRow() {
        row.append(UInt8(ascii: "\n"))
        bytes.writeBytes(row)
        row.removeAll(keepingCapacity: true)
        isFirst = true
    }
}
