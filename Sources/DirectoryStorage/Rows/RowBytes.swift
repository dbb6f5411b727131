import Crypto
import NIOCore
import ObjectStorage
import Secrets

/// The bytes stored in the database, verified against the ETag with which they were acknowledged.
enum RowBytes {
    /// Returns the MD5 of the bytes.
    static func etag(of bytes: ByteBuffer) -> ETag {
        var hasher = Insecure.MD5()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        return ETag(Hex.encode(hasher.finalize()))
    }

    /// - Throws: `corrupted` for bytes that do not have the ETag.
    static func verify(_ bytes: ByteBuffer?, _ etag: ETag, _ key: ObjectKey) throws(ObjectStoreError) {
        guard let bytes, self.etag(of: bytes) == etag else { throw corrupted(key) }
    }

    /// Names only the first path segment: these keys may hold a provider's subject, which must not be logged.
    static func corrupted(_ key: ObjectKey) -> ObjectStoreError {
        .corrupted("damaged object below \(key.description.prefix { $0 != "/" })/ in the database")
    }
}
