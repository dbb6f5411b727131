import PhotolalaAPI

/// A folder of photos with what this device remembers of it.
struct OpenedFolder: Sendable {
    /// The real path.
    let root: String
    let journal: BackupJournal
    let journalFile: String

    /// Blocks.
    init(_ folder: String, user: UserID, stateFolder: String) throws(FileError) {
        root = try LocalFolder.resolve(folder)
        journalFile = BackupJournal.path(in: stateFolder, user: user, root: root)
        journal = BackupJournal.open(journalFile)
        // What was learned before there was an account.
        guard journal.isEmpty else { return }
        journal.learn(from: BackupJournal.load(BackupJournal.path(in: stateFolder, user: nil, root: root)))
    }

    /// Walks it, and opens no file that is remembered.
    var scan: FolderScan {
        let journal = journal
        return FolderScan(root: root, known: { journal.unchanged($0, $1)?.type }, isForeign: journal.isForeign)
    }
}
