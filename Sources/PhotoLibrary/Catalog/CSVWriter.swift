import NIOCore

/// Writes CSV (RFC 4180) with LF at the ends of rows, so that line tools read it as well as spreadsheets do.
struct CSVWriter {
    private(set) var bytes = ByteBuffer()

    mutating func row(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.writeInteger(UInt8(ascii: ",")) }
            write(field)
        }
        bytes.writeInteger(UInt8(ascii: "\n"))
    }

    private mutating func write(_ field: String) {
        let special = field.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard special else {
            bytes.writeString(field)
            return
        }
        bytes.writeInteger(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.writeInteger(byte) }
            bytes.writeInteger(byte)
        }
        bytes.writeInteger(UInt8(ascii: "\""))
    }
}
