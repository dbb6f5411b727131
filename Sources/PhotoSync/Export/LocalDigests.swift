import LibraryExport
import NIOCore
import Synchronization

/// The digests of the photos that were written to the local file.
final class LocalDigests: DigestStore {
    private let digests: Mutex<[PhotoDigest?]>
    private let signature = Mutex<String?>(nil)
    private let sign: @Sendable (String) async throws -> String

    init(count: Int, sign: @escaping @Sendable (String) async throws -> String) {
        digests = Mutex(Array(repeating: nil, count: count))
        self.sign = sign
    }

    func record(_ digest: PhotoDigest, of index: Int) { digests.withLock { $0[index] = digest } }

    func digests(ofBlock block: Int) async throws -> ByteBuffer? {
        digests.withLock { digests in
            let first = block * PhotoDigest.blockSize
            return PhotoDigest.stored(digests[first..<min(first + PhotoDigest.blockSize, digests.count)])
        }
    }

    func store(_ digests: ByteBuffer, ofBlock block: Int) async throws {}

    func signature(of manifest: () async throws -> String) async throws -> String {
        if let known = signature.withLock({ $0 }) { return known }
        let made = try await sign(manifest())
        signature.withLock { $0 = made }
        return made
    }
}
