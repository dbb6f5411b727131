import Crypto
import NIOCore
import PhotoCatalog

/// The bytes of a resource while it is read from its beginning: all of them, as long as they may be held, or the first
/// and last ones, which have the metadata.
struct AssetContent: Sendable {
    private let limit: Int
    private var hasher = Insecure.MD5()
    private(set) var size: Int64 = 0
    private var head = ByteBuffer()
    private var tail = ByteBuffer()

    private static let headLength = FileInspection.pieceLength
    /// The index of a video is behind its pictures; for two hours it has about 4 MiB.
    private static let tailLength = 4 << 20
    /// The largest number of bytes in memory of a resource that is not held.
    static let bytesInMemory = headLength + tailLength + (1 << 20)

    /// - Parameter limit: The longest resource that is held, in bytes.
    init(limit: Int) { self.limit = limit }

    mutating func append(_ bytes: ByteBuffer) {
        hasher.update(bytes)
        let wasHeld = isHeld
        size += Int64(bytes.readableBytes)
        if isHeld {
            head.writeImmutableBuffer(bytes)
            return
        }
        if wasHeld {
            head.writeImmutableBuffer(bytes)
            let whole = head
            head = ByteBuffer(whole.readableBytesView.prefix(Self.headLength))
            tail = ByteBuffer(whole.readableBytesView.dropFirst(Self.headLength).suffix(Self.tailLength))
            return
        }
        let missing = Self.headLength - head.readableBytes
        head.writeBytes(bytes.readableBytesView.prefix(missing))
        tail.writeBytes(bytes.readableBytesView.dropFirst(missing))
        guard tail.readableBytes > Self.tailLength + (1 << 20) else { return }
        tail.moveReaderIndex(forwardBy: tail.readableBytes - Self.tailLength)
        tail.discardReadBytes()
    }

    private var isHeld: Bool { size <= Int64(limit) }

    var md5: ContentDigest { ContentDigest(hasher.finalize()) }

    /// All bytes; `nil` if they are too many.
    var whole: ByteBuffer? { isHeld ? head : nil }

    /// The first bytes, at least as many as the recognition of a format needs.
    var beginning: ByteBuffer { head.getSlice(at: 0, length: min(head.readableBytes, MediaSniffer.headLength)) ?? head }

    func reading(_ type: MediaType) -> MediaReading {
        if let whole { return MediaReading(head: whole, type: type) }
        let (tail, start) = (tail, size - Int64(tail.readableBytes))
        let bytes = MediaBytes(head: head, size: size) { offset, count in
            offset < start ? nil : tail.getSlice(at: tail.readerIndex + Int(offset - start), length: count)
        }
        return MediaReading(bytes, type: type)
    }
}
