import Crypto
import ObjectStorage

extension ObjectBody {
    /// The digest of all bytes as they come; nothing is kept of them.
    /// - Parameter report: told how many have come, each time that more have.
    func digest(report: (Int64) -> Void = { _ in }) async throws(ObjectStoreError) -> ContentDigest {
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
