import NIOCore

/// The bytes of a file for reading its metadata: the beginning and, if a reader is available, pieces from further on.
package struct MediaBytes {
    /// Length of the file in bytes.
    let size: Int64
    let head: ByteWindow
    private let readMore: (Int64, Int) -> ByteBuffer?

    /// Creates the bytes of a complete file.
    init(_ bytes: ByteBuffer) { self.init(head: bytes, size: Int64(bytes.readableBytes)) { _, _ in nil } }

    /// - Parameter more: Reads the given number of bytes from an offset, or fewer at the end of the file; returns `nil`
    ///   on failure.
    package init(head: ByteBuffer, size: Int64, more: @escaping (Int64, Int) -> ByteBuffer?) {
        self.head = ByteWindow(head)
        self.size = size
        self.readMore = more
    }

    /// Returns exactly `count` bytes from an offset. `count` must be small and must not come from file content.
    func window(at offset: Int64, count: Int) -> ByteWindow? {
        guard offset >= 0, offset <= size - Int64(count) else { return nil }
        if offset <= Int64(head.count - count) { return head.window(at: Int(offset), count: count) }
        guard let bytes = readMore(offset, count), bytes.readableBytes == count else { return nil }
        return ByteWindow(bytes)
    }
}
