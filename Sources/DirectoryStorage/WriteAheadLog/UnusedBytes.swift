/// Clears the bytes of a database page that SQLite does not use.
///
/// `PRAGMA secure_delete` overwrites a deleted row where it was last. Rows that moved when pages were split or merged
/// leave copies between the row pointers and the rows of a b-tree page, which SQLite never reads.
enum UnusedBytes {
    /// The maximum number of pages of a database, about 64 GiB. Other pages than those of b-trees begin with a page
    /// number: with this limit, none begins with the type of a b-tree page.
    static let maximumPageCount = 0x1ff_ffff

    /// - Parameter offset: The page's position in the file. The first page begins with the header of the file.
    static func clear(in page: UnsafeMutableRawBufferPointer, at offset: Int64) {
        let header = offset == 0 ? 100 : 0
        let headerLength: Int
        switch page[header] {
        case 2, 5: headerLength = 12
        case 10, 13: headerLength = 8
        default: return
        }
        let rowCount = Int(page.loadUnaligned(fromByteOffset: header + 3, as: UInt16.self).bigEndian)
        let rows = Int(page.loadUnaligned(fromByteOffset: header + 5, as: UInt16.self).bigEndian)
        let pointersEnd = header + headerLength + 2 * rowCount
        guard pointersEnd < rows, rows <= page.count - PageChecksum.length else { return }
        UnsafeMutableRawBufferPointer(rebasing: page[pointersEnd..<rows]).initializeMemory(as: UInt8.self, repeating: 0)
    }
}
