import Foundation
import PhotolalaAPI
import S3Protocol
import StorageAccess

/// The authenticated caller, and what the signature states about the body.
struct Caller: Sendable {
    let session: SealedStorageSession
    /// The account's access.
    let access: StorageAccessLevel
    let authenticatedAt: Date
    let policy: UserStoragePolicy
    /// The account's storage limit, in bytes.
    let storageLimit: Int64
    let payload: PayloadHash
    let chunks: ChunkSigner
}
