import Foundation
import Logging
import Monitoring
import ObjectStorage

/// Moves files to their paths and removes them, consistently with the database.
///
/// **A write**: (1) the bytes are staged below `.incoming` and synced with their folder; (2) under the key's lock the
/// row is committed with the name of the staged file: from now on the new object is visible and durable; (3) the file
/// is moved to its own path, replacing the old one, and the folder is synced; (4) the staged name is removed from the
/// row. A crash before 2 leaves the complete old object, a crash after 2 the complete new one: readers check both
/// paths, and the next opening performs steps 3 and 4.
///
/// **A delete** also commits first; the file is removed afterwards, or at the next opening.
///
/// Every method blocks.
struct ObjectFileStore: Sendable {
    let root: String
    let index: ObjectIndex
    let locks: KeyLocks
    let folders: DurableFolders
    let reserve: SpaceReserve
    let logger: Logger

    /// Makes a sealed file the object at `key`.
    /// - Returns: `false` if the condition does not hold.
    func publish(
        _ staged: StagedFile, _ sealed: StagedFile.Sealed, as key: ObjectKey, _ info: ObjectInfo,
        if condition: PutCondition, within quota: StorageQuota? = nil
    ) throws(ObjectStoreError) -> Bool {
        let path = FileNaming.path(for: key)
        try folders.ensure(DurableFolders.parent(of: path))
        try folders.synchronize(DurableFolders.parent(of: "\(StagingArea.folder)/\(sealed.name)"))
        let lock = try locks.lock(key)
        defer { withExtendedLifetime(lock) {} }
        let row = ObjectRow(info: info, location: .file(sealed.fingerprint, staged: sealed.name))
        do {
            guard try index.commitQueue.commitBlocking(.put(key, row, if: condition, within: quota)) else {
                return false
            }
        } catch .outcomeUnknown(let text) {
            staged.markCommitted()
            throw .outcomeUnknown(text)
        }
        staged.markCommitted()
        moveIntoPlace(key, staged: sealed.name)
        return true
    }

    /// Deletes the object at `key`.
    /// - Returns: `false` if the condition does not hold.
    func remove(
        _ key: ObjectKey, if condition: DeleteCondition, until deadline: RowChange.Deadline? = nil
    ) throws(ObjectStoreError) -> Bool {
        let lock = try lock(key)
        defer { withExtendedLifetime(lock) {} }
        try requireFolder(of: key)
        guard try index.commitQueue.commitBlocking(.delete(key, if: condition, until: deadline)) else { return false }
        unlinkFile(of: key)
        return true
    }

    /// Removes the empty folders below a prefix of plain segments, and its own. Folders with files stay.
    func removeEmptyFolders(below prefix: String) {
        let top = "\(root)/\(prefix.split(separator: "/").joined(separator: "/"))"
        let names = FileManager.default.enumerator(atPath: top)?.compactMap { $0 as? String } ?? []
        // Longer paths first: a folder is empty once those in it are removed. `rmdir` refuses files and folders in use.
        for name in names.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir("\(top)/\(name)") }
        rmdir(top)
        folders.invalidate()
    }

    /// Completes the pending writes and deletes of processes that have ended.
    func recover(isDead: (Substring) -> Bool) throws(ObjectStoreError) {
        for (key, name) in try index.stagedBlocking() where isDead(StagingArea.owner(of: name)) {
            let lock = try locks.lock(key)
            defer { withExtendedLifetime(lock) {} }
            if case .file(_, name) = try index.row(key)?.location { moveIntoPlace(key, staged: name) }
        }
        for key in try index.removalsBlocking() {
            let lock = try locks.lock(key)
            defer { withExtendedLifetime(lock) {} }
            if try index.row(key) == nil {
                unlinkFile(of: key)
            } else {
                index.commitQueue.submit(.markRemoved(key))
            }
        }
    }

    /// Moves a committed object's file to its own path. Call it under the key's lock.
    ///
    /// The object is durable and readable at its staged path, so a failure is logged and not thrown.
    private func moveIntoPlace(_ key: ObjectKey, staged name: String) {
        let source = StagingArea.path(root: root, name: name)
        let path = FileNaming.path(for: key)
        let target = "\(root)/\(path)"
        do {
            if rename(source, target) != 0 {
                guard errno == ENOENT else { throw ObjectStoreError.system(errno, "move to", target) }
                // Another process has moved the file already, or the folder was removed externally.
                folders.invalidate()
                try folders.ensure(DurableFolders.parent(of: path))
                if rename(source, target) != 0, errno != ENOENT {
                    throw ObjectStoreError.system(errno, "move to", target)
                }
            }
            try folders.synchronize(DurableFolders.parent(of: path))
            index.commitQueue.submit(.markInPlace(key, staged: name))
        } catch {
            logger.warning(.objectStaged, "object left in the staging folder", metadata: ["cause": "\(error)"])
        }
    }

    /// Acquires the lock of a key whose object is deleted. Creating the lock file on a full disk needs the ballast.
    private func lock(_ key: ObjectKey) throws(ObjectStoreError) -> OpenFile {
        do {
            return try locks.lock(key)
        } catch .outOfSpace {
            guard reserve.release() else { throw .outOfSpace }
            return try locks.lock(key)
        }
    }

    /// Fails if the folder of a stored object's file does not exist: its disk may not be mounted, and the file would be left
    /// there.
    private func requireFolder(of key: ObjectKey) throws(ObjectStoreError) {
        let path = "\(root)/\(DurableFolders.parent(of: FileNaming.path(for: key)))"
        guard access(path, F_OK) != 0, errno == ENOENT, try index.row(key) != nil else { return }
        throw .unavailable(MissingFolder.text(path))
    }

    private func unlinkFile(of key: ObjectKey) {
        let path = "\(root)/\(FileNaming.path(for: key))"
        if unlink(path) != 0, errno != ENOENT {
            logger.warning(.objectNotRemoved, "file of a deleted object not removed", metadata: ["path": "\(path)"])
            return
        }
        index.commitQueue.submit(.markRemoved(key))
    }
}
