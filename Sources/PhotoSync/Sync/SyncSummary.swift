import PhotoCatalog

/// The results of a sync, or the expected results for a dry run.
package struct SyncSummary: Sendable {
    package var ending = TransferEnding.completed
    /// The results of scanning the folder and uploading its new files.
    package var toLibrary = BackupSummary()
    /// The results of downloading new entries to the folder.
    package var toFolder = RestoreSummary()
    /// Entries added to the library from the folder.
    package var addedEntries = 0
    /// Those of them that were in the library's trash.
    package var restoredEntries = 0
    /// Those of them whose file was moved or renamed in the folder. The entry at its earlier path leaves the library.
    package var renamedEntries = 0
    /// Entries moved to the library's trash because their files were removed from the folder.
    package var trashedEntries: [LibraryPath] = []
    /// Files moved to the folder's own trash.
    package var trashedFiles: [LibraryPath] = []
    /// Files renamed or moved to another folder, as in the library.
    package var movedFiles = 0
    /// Entries that are missing in the folder and were not moved to the library's trash, because they are too many, or
    /// the folder is empty or another one.
    package var withheldEntries = 0
    /// Files that are missing in the folder and stay in the library because a file or folder whose name cannot be used
    /// may be or contain them.
    package var withheldByNames = 0
    /// Files whose entries are in the library's trash and that were not moved to the folder's, because they are too
    /// many.
    package var withheldFiles = 0
    /// Whether the folder differs from the one that was synced before at this path; in that case nothing was done.
    package var isAnotherFolder = false
    /// Files at the path of a synced photo that are not photos any more; the library keeps the photo.
    package var blocked: [LeftOutFile] = []
    /// Entries at paths that the folder ignores. They are neither downloaded nor removed.
    package var ignoredEntries = 0
    /// Changes that were not passed on because the sync has one direction.
    package var omissions = SyncOmissions()
    /// Only of a dry run: what would be done.
    package var planned: [PlannedChange] = []
    /// Files that could not be moved from their path.
    package var failures: [(path: LibraryPath, failure: FileError)] = []
    /// Files that were changed just before or during the sync; the next sync handles them.
    package var waitingFiles = 0
    /// Files in the folder and entries in the library, at the end.
    package var localFiles = 0
    package var libraryEntries: Int?

    package init() {}

    /// Whether nothing failed and nothing was held back.
    package var isComplete: Bool {
        ending == .completed && toLibrary.isComplete && toFolder.isComplete && failures.isEmpty && blocked.isEmpty
            && withheldEntries == 0 && withheldFiles == 0
    }

    /// Whether folder and library are equal now.
    var isEqual: Bool { isComplete && waitingFiles == 0 && ignoredEntries == 0 && omissions.isEmpty }

    /// Whether anything was changed on either side.
    package var didSomething: Bool {
        addedEntries > 0 || !trashedEntries.isEmpty || !trashedFiles.isEmpty || movedFiles > 0
            || toFolder.progress.restoredFiles > 0
    }
}
