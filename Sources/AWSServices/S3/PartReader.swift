import NIOCore
import ObjectStorage

/// Splits a body into parts of one size, the last one shorter, and holds one of them in memory at a time.
struct PartReader {
    private let size: Int64
    private let partSize: Int
    private var chunks: ObjectBody.AsyncIterator
    private var buffered = ByteBuffer()
    private var received: Int64 = 0
    private var isOver = false

    init(_ body: ObjectBody, partSize: Int) {
        size = body.size
        self.partSize = partSize
        chunks = body.makeAsyncIterator()
    }

    /// Returns the next part, or `nil` at the end.
    /// - Throws: The body's own error, or `bodyFailed` if its length differs from the declared one.
    mutating func next() async throws(ObjectStoreError) -> ByteBuffer? {
        var part = ByteBuffer()
        part.reserveCapacity(Int(clamping: min(Int64(partSize), max(0, size - received))))
        while part.readableBytes < partSize {
            if buffered.readableBytes == 0 {
                guard let chunk = try await nextChunk() else { break }
                buffered = chunk
            }
            let length = min(buffered.readableBytes, partSize - part.readableBytes)
            if var piece = buffered.readSlice(length: length) { part.writeBuffer(&piece) }
        }
        return part.readableBytes == 0 ? nil : part
    }

    private mutating func nextChunk() async throws(ObjectStoreError) -> ByteBuffer? {
        guard !isOver else { return nil }
        let chunk: ByteBuffer?
        do {
            chunk = try await chunks.next()
        } catch {
            throw error as? ObjectStoreError ?? .bodyFailed("\(error)")
        }
        received += Int64(chunk?.readableBytes ?? 0)
        isOver = chunk == nil
        guard received <= size else { throw .bodyFailed("body longer than declared") }
        guard !isOver || received == size else { throw .bodyFailed("body shorter than declared") }
        return chunk
    }
}
