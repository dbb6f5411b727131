import PhotoCatalog
import PhotolalaAPI

/// A folder of photos with the state that this device stores about it.
struct OpenedFolder: Sendable {
    /// The resolved path, without symbolic links.
    let root: String
    let journal: BackupJournal
    let journalFile: String
    private let folderFiles: FolderFiles

    /// Opens the folder and its journal. Blocks.
    /// - Parameters:
    ///   - destination: The folder of the library to which the files belong; `nil` for its root.
    ///   - isReadOnly: Whether changes of the journal are not stored.
    init(
        _ folder: String, user: UserID, stateFolder: String, filter: FolderFilter, destination: LibraryPath?,
        isReadOnly: Bool = false
    ) throws(FileError) {
        let root = FolderRoot(path: try LocalFolder.resolve(folder), destination: destination)
        self.root = root.path
        journalFile = BackupJournal.path(in: stateFolder, user: user, root: root.stateName)
        journal = isReadOnly ? BackupJournal.load(journalFile) : BackupJournal.open(journalFile)
        folderFiles = FolderFiles(root: root, filter: filter, journal: journal)
        // Copies the state that was recorded before the user had an account.
        guard journal.isEmpty, destination == nil else { return }
        journal.importEntries(
            from: BackupJournal.load(BackupJournal.path(in: stateFolder, user: nil, root: root.stateName)))
    }

    /// A scan of the folder that does not open files recorded in the journal.
    var scan: FolderScan { folderFiles.scan }

    /// The folder's files, for a backup.
    var files: OpenedFiles {
        OpenedFiles(source: folderFiles, journal: journal, journalFile: journalFile)
    }
}

/// The files of a backup with the state that this device stores about them.
struct OpenedFiles: Sendable {
    let source: any FileSource
    let journal: BackupJournal
    let journalFile: String
}
