import Accounts
import ObjectStorage

/// An error from creating or restoring a snapshot.
package enum SnapshotError: StoreErrorConvertible, Equatable, Sendable {
    /// The file is not a snapshot, or has an unsupported version.
    case notASnapshot
    /// A line of the file is malformed or was changed; lines count from 1.
    case damaged(line: Int)
    /// The file ends before the end of the snapshot.
    case truncated
    /// The file was changed after it was sealed, or a different master key with this id sealed it.
    case notAuthentic(keyID: String)
    /// The master key with this id sealed the snapshot and is not configured.
    case missingKey(String)
    /// The snapshot is of another environment, layout or key encoding, or needs another master key.
    case storeMismatch(StoreManifestError)
    /// The store is not empty, and nothing is overwritten. The text is the first key that exists.
    case storeNotEmpty(String)
    /// Another snapshot has been partly written into the store.
    case anotherRecoveryUnfinished
    /// The file changed between two reads.
    case fileChanged
    /// The file cannot be read or written; the text is for the operator.
    case file(String)
    /// A copy of the erasure ledger cannot be read into the store.
    case ledger(ErasureLedgerCopy.Failure)
    /// The deletion of an account that the snapshot brought back could not be scheduled again. The text is for the operator.
    case deletionNotRepeated(String)
    case corrupted(String)
    case store(ObjectStoreError)
}
