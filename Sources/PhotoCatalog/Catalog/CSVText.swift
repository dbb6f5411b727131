import NIOCore

/// CSV files of other programs.
package enum CSVText {
    /// Calls a function with the fields of each row. A byte order mark is skipped, and bytes that are not UTF-8 become
    /// replacement characters.
    /// - Throws: `CatalogError` at a malformed row; the rows before it were read.
    package static func forEachRow(of bytes: ByteBuffer, _ body: ([String]) -> Void) throws(CatalogError) {
        var bytes = bytes
        if bytes.readableBytesView.starts(with: [0xef, 0xbb, 0xbf]) { bytes.moveReaderIndex(forwardBy: 3) }
        let result = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(CatalogError) in
                var rows = CSVRows(bytes)
                while try rows.next() { body((0..<rows.count).map { String(decoding: rows[$0], as: UTF8.self) }) }
            }
        }
        try result.get()
    }
}
