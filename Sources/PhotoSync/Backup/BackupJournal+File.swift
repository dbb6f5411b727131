import NIOCore
import PhotoCatalog
import PhotolalaAPI

extension BackupJournal {
    /// Returns the path of the state file for one user's backup of one folder or, with `nil`, for a folder without an
    /// account.
    static func path(in stateFolder: String, user: UserID?, root: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user?.description ?? "")\n\(root)"))
        return "\(stateFolder)/backup-\(name).journal"
    }

    /// Reads a state file. Blocks. Invalid rows are ignored.
    static func load(_ path: String) -> BackupJournal { BackupJournal(JournalRows.read(path), file: nil) }

    /// Reads a state file and opens it for appending, creating its folder if necessary. Blocks. Nothing is stored while
    /// another process has the file open, or if it cannot be written.
    static func open(_ path: String) -> BackupJournal {
        let file = try? JournalFile(path)
        return BackupJournal(JournalRows.read(path), file: file)
    }

    /// Stops storing changes and unlocks the file for other processes.
    func close() {
        state.withLock { state in
            state.file?.unlock()
            state.file = nil
        }
    }

    /// Rewrites the file if most of its rows are obsolete. Blocks.
    func compact() throws(FileError) {
        let result = state.withLock { state in
            Result { () throws(FileError) in
                let known = state.entries.count + state.nonMedia.count
                guard let file = state.file, state.rows > 2 * known + 1000 else { return }
                var rows =
                    state.entries.map { JournalRow.file($0.key, $0.value) }
                    + state.nonMedia.map { JournalRow.nonMedia($0.key, $0.value) }
                if let day = state.checkedDay { rows.append(.checked(day: day)) }
                state.file = try file.replaced(with: JournalRow.lines(of: rows))
                state.rows = rows.count
            }
        }
        try result.get()
    }
}
