import SigV4
import StorageAccess

/// Who asks, proved by the signature, and what the signature says of the body.
struct Caller: Sendable {
    let session: SealedStorageSession
    let policy: UserStoragePolicy
    /// Bytes that they may store.
    let storageLimit: Int64
    let payload: PayloadHash
    let chunks: ChunkSignatures
}
