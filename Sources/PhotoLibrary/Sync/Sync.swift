import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Makes a folder and the library hold the same, in both directions, and remembers what was.
///
/// Nothing is deleted on either side: what was removed here goes to the library's trash, what was put there elsewhere
/// goes to the folder's own. It can be stopped at any moment and run again
/// (`docs/account-protocol.md`, “Sync of a folder”).
package struct Sync: Sendable {
    let backup: Backup
    let restore: Restore
    let settings: SyncSettings
    let randomness: Randomness
    /// Brings what was written in a folder to its disk: only then is it remembered.
    let flush: @Sendable (FolderHandle) throws(FileError) -> Void

    /// - Parameter backup: its state folder has the memory of syncs, too.
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
        self.backup = backup
        self.restore = restore
        self.settings = settings
        self.randomness = randomness
        self.flush = flush
    }

    /// Syncs a folder. Files that fail are in the summary and never stop the others.
    /// - Throws: only when it could not begin.
    package func run(
        folder: String, report: @escaping @Sendable (SyncEvent) -> Void
    ) async throws(SyncError) -> SyncSummary {
        report(.toLibrary(.scanning))
        let opened: OpenedFolder
        do { opened = try await backup.open(folder) } catch { throw SyncError(error) }
        let start = backup.now()
        let held = try await hold(opened)
        defer { held.release() }
        let content: FolderContent
        do { content = try await opened.scan.all() } catch { throw error == .cancelled ? .cancelled : .folder(error) }
        // The folder was looked through by its path; what was mounted there meanwhile is another one.
        guard try await files({ () throws(FileError) in try held.isStillThere() }) else { throw .folder(.missing) }
        if let inner = content.synced.min() { throw .nested("\(opened.root)/\(inner)") }
        var run = SyncRun(sync: self, held: held, content: content, since: start, report: report)
        // It may be another memory than at the beginning, or another mark.
        defer { run.release() }
        return try await run.run()
    }

    /// Takes folder and memory for this sync alone.
    private func hold(_ opened: OpenedFolder) async throws(SyncError) -> HeldFolder {
        let (user, stateFolder) = (backup.user, backup.stateFolder)
        let held = try await files { () throws(FileError) in
            do throws(FileError) {
                return Optional(try HeldFolder(opened, user: user, stateFolder: stateFolder))
            } catch {
                guard error == .exists else { throw error }
                return nil
            }
        }
        guard let held else {
            opened.journal.close()
            throw .underWay
        }
        if let outer = held.above {
            held.release()
            throw .nested(outer)
        }
        return held
    }

    func files<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(SyncError) -> Value {
        do { return try await FileWork.run(work) } catch { throw error == .cancelled ? .cancelled : .folder(error) }
    }
}
