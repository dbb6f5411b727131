import PhotolalaAPI

/// A folder of photos with the state that this device stores about it.
struct OpenedFolder: Sendable {
    /// The resolved path, without symbolic links.
    let root: String
    let journal: BackupJournal
    let journalFile: String

    /// Opens the folder and its journal. Blocks.
    init(_ folder: String, user: UserID, stateFolder: String) throws(FileError) {
        root = try LocalFolder.resolve(folder)
        journalFile = BackupJournal.path(in: stateFolder, user: user, root: root)
        journal = BackupJournal.open(journalFile)
        // Copies the state that was recorded before the user had an account.
        guard journal.isEmpty else { return }
        journal.importEntries(from: BackupJournal.load(BackupJournal.path(in: stateFolder, user: nil, root: root)))
    }

    /// A scan of the folder that does not open files recorded in the journal.
    var scan: FolderScan { FolderFiles(root: root, journal: journal).scan }

    /// The folder's files, for a backup.
    var files: OpenedFiles {
        OpenedFiles(source: FolderFiles(root: root, journal: journal), journal: journal, journalFile: journalFile)
    }
}

/// The files of a backup with the state that this device stores about them.
struct OpenedFiles: Sendable {
    let source: any FileSource
    let journal: BackupJournal
    let journalFile: String
}
