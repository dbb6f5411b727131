import Crypto
import ObjectStorage

extension ObjectBody {
    /// Returns the digest of all bytes of the stream, without keeping them.
    /// - Parameter report: Called with the number of bytes so far, after each chunk.
    package func digest(report: (Int64) -> Void = { _ in }) async throws(ObjectStoreError) -> ContentDigest {
        var (hasher, length) = (Insecure.MD5(), Int64(0))
        do {
            for try await bytes in self {
                hasher.update(bytes)
                length += Int64(bytes.readableBytes)
                report(length)
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
        return ContentDigest(hasher.finalize())
    }
}
