/// What a sync did, or would do.
package struct SyncSummary: Sendable {
    package var ending = TransferEnding.completed
    /// Of looking at the folder and bringing what is new there to the library.
    package var toLibrary = BackupSummary()
    /// Of bringing what is new in the library to the folder.
    package var toFolder = RestoreSummary()
    /// Entries that came to the library from the folder.
    package var addedEntries = 0
    /// Of them, those that were in the library's trash.
    package var takenOutEntries = 0
    /// What was removed from the folder and went to the library's trash.
    package var trashedEntries: [LibraryPath] = []
    /// Files that went to the folder's own trash.
    package var trashedFiles: [LibraryPath] = []
    /// Files that were given another name or folder, as in the library.
    package var movedFiles = 0
    /// What is missing in the folder and was not put into the library's trash: it is too much.
    package var heldEntries = 0
    /// Files that are missing in the folder and stay in the library because a file or folder whose name cannot be used may
    /// be or contain them.
    package var heldByNames = 0
    /// What is in the library's trash and was not moved to the folder's: it is too much.
    package var heldFiles = 0
    /// Whether the folder is another one than was synced before at this place; nothing was done then.
    package var isAnotherFolder = false
    /// What stands in the place of a photo that was in sync, and is none any more; the library keeps the photo.
    package var blocked: [LeftOutFile] = []
    /// Files that could not leave their place.
    package var failures: [(path: LibraryPath, failure: FileError)] = []
    /// Files that were changed just now, or while they were looked at; the next sync sees to them.
    package var waitingFiles = 0
    /// Files in the folder and entries in the library, at the end.
    package var localFiles = 0
    package var libraryEntries: Int?

    package init() {}

    /// Whether nothing failed and nothing was held back.
    package var isComplete: Bool {
        ending == .completed && toLibrary.isComplete && toFolder.isComplete && failures.isEmpty && blocked.isEmpty
            && heldEntries == 0 && heldFiles == 0
    }

    /// Whether folder and library hold the same now.
    var isEqual: Bool { isComplete && waitingFiles == 0 }

    /// Whether anything was done on either side.
    package var didSomething: Bool {
        addedEntries > 0 || !trashedEntries.isEmpty || !trashedFiles.isEmpty || movedFiles > 0
            || toFolder.progress.restoredFiles > 0
    }
}
