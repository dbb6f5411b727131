import NIOCore

/// Reads pieces of an untrusted file, up to the limits of a plan. Anything beyond them is an unknown structure.
struct RemovalReader {
    static let readLimit = 64 << 20
    static let largestPiece = 1 << 20
    private static let smallestPiece = 64 << 10

    let size: Int64
    private let read: (Range<Int64>) async throws -> ByteBuffer
    private var remainingReads = 4096
    private var remainingBytes: Int
    private var piece = ByteBuffer()
    private var start: Int64 = 0
    private var length = smallestPiece

    init(size: Int64, readLimit: Int, read: @escaping (Range<Int64>) async throws -> ByteBuffer) {
        self.size = size
        remainingBytes = readLimit
        self.read = read
    }

    /// Returns the buffered bytes from an offset on: at least `minimum`, at most a piece. Sequential reads double the
    /// piece.
    mutating func piece(at offset: Int64, minimum: Int = 1) async throws -> ByteBuffer {
        try require(offset >= 0 && (1...Self.largestPiece).contains(minimum) && offset <= size - Int64(minimum))
        let end = start + Int64(piece.readableBytes)
        if offset >= start, offset <= end - Int64(minimum) { return try buffered(from: offset) }
        let isSequential = piece.readableBytes > 0 && offset >= start && offset <= end
        length = isSequential ? min(length * 2, Self.largestPiece) : Self.smallestPiece
        piece = try await bytes(at: offset, count: Int(min(Int64(max(length, minimum)), size - offset)))
        start = offset
        return piece
    }

    /// Returns exactly `count` bytes, at most a piece.
    mutating func window(at offset: Int64, count: Int) async throws -> ByteWindow {
        guard count > 0 else { return ByteWindow(ByteBuffer()) }
        let piece = try await piece(at: offset, minimum: count)
        return ByteWindow(try known(piece.getSlice(at: piece.readerIndex, length: count)))
    }

    mutating func uint8(at offset: Int64) async throws -> UInt8 {
        try known(try await window(at: offset, count: 1).uint8(at: 0))
    }

    /// Returns all bytes of a range of at most `limit` bytes.
    mutating func contents(of range: Range<Int64>, limit: Int) async throws -> ByteBuffer {
        try require(range.lowerBound >= 0 && range.upperBound <= size && range.count <= limit)
        var contents = ByteBuffer()
        contents.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(Int64(Self.largestPiece), range.upperBound - offset))
            var part = try await bytes(at: offset, count: count)
            contents.writeBuffer(&part)
            offset += Int64(count)
        }
        return contents
    }

    private func buffered(from offset: Int64) throws -> ByteBuffer {
        let skipped = Int(offset - start)
        return try known(piece.getSlice(at: piece.readerIndex + skipped, length: piece.readableBytes - skipped))
    }

    private mutating func bytes(at offset: Int64, count: Int) async throws -> ByteBuffer {
        try require(remainingReads > 0 && count <= remainingBytes)
        remainingReads -= 1
        remainingBytes -= count
        let bytes = try await read(offset..<offset + Int64(count))
        try require(bytes.readableBytes == count)
        return bytes.slice()
    }
}
