import PhotolalaAPI

/// A folder locked for one sync, with the state that this device stores about it.
struct LockedFolder: Sendable {
    let opened: OpenedFolder
    let folder: FolderHandle
    let syncState: SyncState
    /// `nil` if the folder has no marker yet.
    let marker: FolderMarker?
    /// A parent folder that is synced, too.
    let enclosingFolder: String?

    /// Locks the folder. Blocks.
    /// - Parameter isReadOnly: Whether the state is only read. Then only the folder's marker is locked.
    /// - Throws: `exists` while another sync of the folder is running.
    init(_ opened: OpenedFolder, user: UserID, stateFolder: String, isReadOnly: Bool = false) throws(FileError) {
        self.opened = opened
        folder = try FolderHandle(Self.path(of: opened))
        let file = SyncState.path(in: stateFolder, user: user, root: opened.root)
        syncState = try SyncState(file, isReadOnly: isReadOnly)
        enclosingFolder = FolderMarker.syncedFolder(above: opened.root)
        do throws(FileError) { marker = try FolderMarker.lock(in: folder) } catch {
            syncState.close()
            throw error
        }
    }

    func isStillThere() throws(FileError) -> Bool { try folder.isLocated(at: Self.path(of: opened)) }

    private static func path(of opened: OpenedFolder) -> String { opened.root.isEmpty ? "/" : opened.root }

    /// Releases all locks, even if objects are still referenced.
    func release() {
        marker?.release()
        syncState.close()
        opened.journal.close()
    }
}
