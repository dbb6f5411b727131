import NIOCore
import NIOPosix
import ObjectStorage

/// The contents of an open file in chunks, read on a pool's threads on demand.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    static let chunkSize: Int64 = 256 << 10

    let file: OpenFile
    let offsets: Range<Int64>
    let pool: NIOThreadPool

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: OpenFile
        var remaining: Range<Int64>
        let pool: NIOThreadPool

        mutating func next() async throws -> ByteBuffer? {
            guard !remaining.isEmpty else { return nil }
            let (file, offset) = (file, remaining.lowerBound)
            let count = Int(Swift.min(FileChunks.chunkSize, remaining.upperBound - offset))
            remaining = (offset + Int64(count))..<remaining.upperBound
            return try await pool.runIfActive { try file.bytes(at: offset, count: count) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, remaining: offsets, pool: pool) }
}
