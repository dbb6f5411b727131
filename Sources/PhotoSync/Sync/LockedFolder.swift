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
    /// - Throws: `underWay` while another sync of the folder is running.
    init(_ opened: OpenedFolder, user: UserID, stateFolder: String, isReadOnly: Bool = false) throws(SyncError) {
        self.opened = opened
        do throws(FileError) { folder = try FolderHandle(Self.path(of: opened)) } catch {
            throw SyncError(folder: error)
        }
        let file = SyncState.path(in: stateFolder, user: user, root: opened.root)
        do throws(FileError) { syncState = try SyncState(file, isReadOnly: isReadOnly) } catch {
            throw error == .exists ? .underWay : SyncError(state: error, at: file)
        }
        enclosingFolder = FolderMarker.syncedFolder(above: opened.root)
        do throws(FileError) { marker = try FolderMarker.lock(in: folder) } catch {
            syncState.close()
            throw error == .exists ? .underWay : SyncError(folder: error)
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
