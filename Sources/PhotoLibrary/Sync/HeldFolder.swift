import PhotolalaAPI

/// A folder that one sync has for itself, with what this device remembers of it.
struct HeldFolder: Sendable {
    let opened: OpenedFolder
    let folder: FolderHandle
    let memory: SyncMemory
    /// `nil` where the folder has none yet.
    let mark: FolderMark?
    /// A folder above it that is synced, too.
    let above: String?

    /// Blocks.
    /// - Throws: `exists` while another sync has it.
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

    /// Ends this sync: another one may have the folder, whoever still holds it here.
    func release() {
        mark?.release()
        memory.close()
        opened.journal.close()
    }
}
