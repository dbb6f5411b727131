import NIOCore
import Synchronization

/// The digests and the signature of an export that one process writes, in memory. 37 bytes for each photo, and overhead.
package final class MemoryDigestStore: DigestStore {
    private let digests: Mutex<[PhotoDigest?]>
    private let signature = Mutex<String?>(nil)
    private let sign: @Sendable (String) async throws -> String

    /// - Parameters:
    ///   - count: The number of the export's photos.
    ///   - sign: Returns the signature of a manifest, given its SHA-256 in hex.
    package init(count: Int, sign: @escaping @Sendable (_ manifestSHA256: String) async throws -> String) {
        digests = Mutex(Array(repeating: nil, count: count))
        self.sign = sign
    }

    /// The number of photos that are damaged.
    package var damagedCount: Int { digests.withLock { digests in digests.count { $0?.isDamaged == true } } }

    package func record(_ digest: PhotoDigest, of index: Int) { digests.withLock { $0[index] = digest } }

    package func digests(ofBlock block: Int) async throws -> ByteBuffer? {
        digests.withLock { digests in
            let first = block * PhotoDigest.blockSize
            return PhotoDigest.stored(digests[first..<min(first + PhotoDigest.blockSize, digests.count)])
        }
    }

    package func store(_ stored: ByteBuffer, ofBlock block: Int) async throws {
        digests.withLock { digests in
            var bytes = stored
            let first = block * PhotoDigest.blockSize
            for index in first..<min(first + PhotoDigest.blockSize, digests.count) {
                digests[index] = PhotoDigest(stored: &bytes)
            }
        }
    }

    package func signature(of manifest: () async throws -> String) async throws -> String {
        if let known = signature.withLock({ $0 }) { return known }
        let made = try await sign(manifest())
        signature.withLock { $0 = made }
        return made
    }
}
