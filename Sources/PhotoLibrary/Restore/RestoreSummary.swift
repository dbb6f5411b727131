import ObjectStorage

/// What a restore did, for the person who started it.
package struct RestoreSummary: Sendable {
    package var ending = TransferEnding.completed
    package var progress = RestoreProgress()
    package var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
    /// Photos that went beside something else of their name.
    package var restoredBeside: [(path: LibraryPath, name: String)] = []

    /// Whether every photo that was asked for is there.
    package var isComplete: Bool { ending == .completed && failures.isEmpty }
}

/// Why one file was not restored. The others go on.
package enum RestoreFailure: Error, Equatable, Sendable {
    case file(FileError)
    /// The catalog names a content that the store does not have.
    case notStored
    /// The store gave other bytes than the catalog names; none of them were kept.
    case contentMismatch
    case store(ObjectStoreError)
    /// The store has it in an archive. The others come.
    case archived(ArchivedPhoto)

    /// A photo that is not to be read in an archive is no trouble of the store's.
    init(reading error: ObjectStoreError) { self = error == .archived ? .archived(.notAskedFor) : .store(error) }

    /// Whether sending the photo again would mend it.
    package var isDamage: Bool {
        switch self {
        case .notStored, .contentMismatch, .store(.corrupted): true
        case .file, .store, .archived: false
        }
    }
}

/// How far a photo is that is kept in an archive.
package enum ArchivedPhoto: Equatable, Sendable {
    case notAskedFor
    /// It was asked for, and is usually there after this time.
    case askedBack(within: Duration)
    /// It was asked for before, and is still on its way.
    case onItsWay
    /// It has come back just now.
    case back
    /// The archive does not give it so fast, or not at this time.
    case tooFast
    /// The store takes no such requests.
    case notToBeAskedFor
    /// It could not be asked for.
    case refused(ObjectStoreError)
}

/// Why a restore did not begin.
package enum RestoreError: Error, Equatable, Sendable {
    /// The target folder cannot be made or opened.
    case folder(FileError)
    case selection(SelectionError)
    case cancelled
}
