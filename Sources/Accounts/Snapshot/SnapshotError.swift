import ObjectStorage

/// Why no snapshot was made of a store, or none was written into one.
package enum SnapshotError: StoreFailing, Equatable, Sendable {
    /// The file does not begin as a snapshot does, or as one of a later version.
    case notASnapshot
    /// A line of the file is none, or is not what it was; lines count from 1.
    case damaged(line: Int)
    /// The file ends before the snapshot does.
    case truncated
    /// The file is not the one that was sealed, or another master key sealed it under this id.
    case notAuthentic(keyID: String)
    /// The master key with this id sealed the snapshot and is not configured.
    case missingKey(String)
    /// The snapshot is of another environment, layout or spelling of subjects, or needs another master key.
    case otherStore(StoreStampError)
    /// Something is stored already: nothing is ever overwritten. The text is the first key that is in the way.
    case occupied(String)
    /// Another snapshot has been written into the store in part.
    case otherRecovery
    /// The file was another one at the second reading.
    case fileChanged
    /// The file cannot be read or written; the text is for the operator.
    case file(String)
    case corrupted(String)
    case store(ObjectStoreError)
}
