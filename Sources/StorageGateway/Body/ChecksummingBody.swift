import NIOCore
import ObjectStorage
import Synchronization

/// Computes the checksum of an object's bytes as they are read.
struct ChecksummingBody: AsyncSequence, Sendable {
    private final class Result: Sendable {
        let checksum = Mutex<ContentChecksum?>(nil)
    }

    private let body: ObjectBody
    private let algorithm: ChecksumAlgorithm
    private let result = Result()

    init(_ body: ObjectBody, _ algorithm: ChecksumAlgorithm) {
        self.body = body
        self.algorithm = algorithm
    }

    /// `nil` until the last byte has been read.
    var checksum: ContentChecksum? { result.checksum.withLock { $0 } }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: ObjectBody.AsyncIterator
        fileprivate var running: RunningChecksum
        fileprivate let end: @Sendable (String) -> Void

        mutating func next() async throws -> ByteBuffer? {
            guard let chunk = try await chunks.next() else {
                end(running.base64)
                return nil
            }
            chunk.withUnsafeReadableBytes { running.update($0) }
            return chunk
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), running: RunningChecksum(algorithm)) { [result, algorithm] in
            let checksum = ContentChecksum(algorithm, $0)
            result.checksum.withLock { $0 = checksum }
        }
    }
}
