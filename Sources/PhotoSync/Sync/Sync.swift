import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A sync: makes a folder and a library equal, in both directions, based on the state of the last sync.
///
/// Nothing is deleted on either side: entries whose files were removed here are moved to the library's trash, and files
/// whose entries were removed elsewhere are moved to the folder's own trash. A sync can be stopped at any time and run
/// again (`docs/account-protocol.md`, “Sync of a folder”).
package struct Sync: Sendable {
    let backup: Backup
    let restore: Restore
    let settings: SyncSettings
    let randomness: Randomness
    /// Returns whether the first sync of a folder may download these photos. Called before anything is changed.
    package var confirmsDownload: @Sendable (SyncDownload) async -> Bool = { _ in true }
    /// Flushes a folder's files to disk, before they are recorded.
    let flush: @Sendable (FolderHandle) throws(FileError) -> Void

    /// - Parameter backup: The backup to use. Its state folder also contains the state of syncs.
    package init(
        backup: Backup, restore: Restore, settings: SyncSettings = SyncSettings(), randomness: Randomness = .system
    ) {
        self.init(backup: backup, restore: restore, settings: settings, randomness: randomness) {
            folder throws(FileError) in try folder.flush()
        }
    }

    init(
        backup: Backup, restore: Restore, settings: SyncSettings, randomness: Randomness,
        flush: @escaping @Sendable (FolderHandle) throws(FileError) -> Void
    ) {
        self.backup = settings.isDryRun ? backup.readingOnly : backup
        self.restore = restore
        self.settings = settings
        self.randomness = randomness
        self.flush = flush
    }

    /// Syncs a folder. Files that fail are listed in the summary and do not stop the others.
    /// - Throws: Only if the sync could not begin.
    package func run(
        folder: String, report: @escaping @Sendable (SyncEvent) -> Void
    ) async throws(SyncError) -> SyncSummary {
        report(.toLibrary(.scanning))
        let opened: OpenedFolder
        do { opened = try await backup.open(folder) } catch { throw SyncError(error) }
        let start = backup.now()
        let locked = try await lock(opened)
        defer { locked.release() }
        let content: FolderContent
        do { content = try await opened.scan.all() } catch { throw SyncError(folder: error) }
        // The folder was scanned by its path; another one may have been mounted there since.
        guard try await files({ () throws(FileError) in try locked.isStillThere() }) else { throw .folder(.missing) }
        if let inner = content.synced.min() { throw .nested("\(opened.root)/\(inner)") }
        var run = SyncRun(sync: self, locked: locked, content: content, since: start, report: report)
        // The run may have replaced the state or the marker.
        defer { run.release() }
        return try await run.run()
    }

    /// Locks the folder and its stored state for this sync.
    private func lock(_ opened: OpenedFolder) async throws(SyncError) -> LockedFolder {
        let (user, stateFolder, isReadOnly) = (backup.user, backup.stateFolder, settings.isDryRun)
        let result = try await files { () throws(FileError) in
            Result { () throws(SyncError) in
                try LockedFolder(opened, user: user, stateFolder: stateFolder, isReadOnly: isReadOnly)
            }
        }
        let locked: LockedFolder
        do { locked = try result.get() } catch {
            if error == .underWay { opened.journal.close() }
            throw error
        }
        if let outer = locked.enclosingFolder {
            locked.release()
            throw .nested(outer)
        }
        return locked
    }

    func files<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(SyncError) -> Value {
        do { return try await FileWork.run(work) } catch { throw SyncError(folder: error) }
    }

    /// Reads or writes the state of this device.
    func state<Value: Sendable>(
        at path: String, _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(SyncError) -> Value {
        do { return try await FileWork.run(work) } catch { throw SyncError(state: error, at: path) }
    }
}
