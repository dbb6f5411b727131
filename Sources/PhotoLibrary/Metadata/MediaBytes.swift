import NIOCore

/// A file's bytes for whoever looks for what it says of itself: its beginning, and pieces from further on where there
/// is a way to them.
struct MediaBytes {
    /// Length of the file in bytes.
    let size: Int64
    let head: ByteWindow
    private let more: (Int64, Int) -> ByteBuffer?

    /// All there is.
    init(_ bytes: ByteBuffer) { self.init(head: bytes, size: Int64(bytes.readableBytes)) { _, _ in nil } }

    /// - Parameter more: reads so many bytes, or fewer at the end, from an offset; `nil` when that fails.
    init(head: ByteBuffer, size: Int64, more: @escaping (Int64, Int) -> ByteBuffer?) {
        self.head = ByteWindow(head)
        self.size = size
        self.more = more
    }

    /// Exactly so many bytes from an offset. `count` is always small: nothing that a file says decides it.
    func window(at offset: Int64, count: Int) -> ByteWindow? {
        guard offset >= 0, offset <= size - Int64(count) else { return nil }
        if offset <= Int64(head.count - count) { return head.window(at: Int(offset), count: count) }
        guard let bytes = more(offset, count), bytes.readableBytes == count else { return nil }
        return ByteWindow(bytes)
    }
}
