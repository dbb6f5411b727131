import NIOCore
import PhotolalaAPI

extension BackupJournal {
    /// The state file for one user's backup of one folder, or for what is known of it without an account.
    static func path(in stateFolder: String, user: UserID?, root: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user?.description ?? "")\n\(root)"))
        return "\(stateFolder)/backup-\(name).journal"
    }

    /// Reads a state file. Blocks. What is wrong with it is passed over.
    static func load(_ path: String) -> BackupJournal { BackupJournal(JournalRows.read(path), file: nil) }

    /// Reads a state file and goes on writing it, making its folder where it is missing. Blocks. While another process
    /// writes it, or when it cannot be written, nothing is remembered.
    static func open(_ path: String) -> BackupJournal {
        let file = try? JournalFile(path)
        return BackupJournal(JournalRows.read(path), file: file)
    }

    /// Remembers nothing from now on, so that others can.
    func close() {
        state.withLock { state in
            state.file?.unlock()
            state.file = nil
        }
    }

    /// Writes the file anew when most of its rows are of no use any more. Blocks.
    func compact() throws(FileError) {
        let result = state.withLock { state in
            Result { () throws(FileError) in
                let known = state.entries.count + state.foreign.count
                guard let file = state.file, state.rows > 2 * known + 1000 else { return }
                var rows =
                    state.entries.map { JournalRow.file($0.key, $0.value) }
                    + state.foreign.map { JournalRow.foreign($0.key, $0.value) }
                if let day = state.checkedDay { rows.append(.checked(day: day)) }
                state.file = try file.replaced(with: JournalRow.lines(of: rows))
                state.rows = rows.count
            }
        }
        try result.get()
    }
}
