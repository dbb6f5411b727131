import PhotolalaAPI

/// A folder locked for one sync, with the state that this device stores about it.
struct HeldFolder: Sendable {
    let opened: OpenedFolder
    let folder: FolderHandle
    let memory: SyncMemory
    /// `nil` if the folder has no marker yet.
    let mark: FolderMark?
    /// A parent folder that is synced, too.
    let above: String?

    /// Locks the folder. Blocks.
    /// - Throws: `exists` while another sync of the folder is running.
    init(_ opened: OpenedFolder, user: UserID, stateFolder: String) throws(FileError) {
        self.opened = opened
        folder = try FolderHandle(Self.path(of: opened))
        memory = try SyncMemory(SyncMemory.path(in: stateFolder, user: user, root: opened.root))
        above = FolderMark.folder(above: opened.root)
        do throws(FileError) { mark = try FolderMark.hold(in: folder) } catch {
            memory.close()
            throw error
        }
    }

    func isStillThere() throws(FileError) -> Bool { try folder.isStill(at: Self.path(of: opened)) }

    private static func path(of opened: OpenedFolder) -> String { opened.root.isEmpty ? "/" : opened.root }

    /// Releases all locks, even if objects are still referenced.
    func release() {
        mark?.release()
        memory.close()
        opened.journal.close()
    }
}
