import Synchronization

/// A watched folder that is watched again if another folder replaces it at its path: its disk was mounted, or the
/// folder was recreated. The system does not signal that.
package final class WatchedFolder: Sendable {
    private let folder: String
    private let watcher: any FolderWatcher
    private let notify: @Sendable (FolderSignal) -> Void
    private let watch: Mutex<(any FolderWatch)?>

    /// - Throws: If the folder cannot be watched at all.
    package init(
        _ folder: String, by watcher: any FolderWatcher, notify: @escaping @Sendable (FolderSignal) -> Void
    ) throws(FileError) {
        (self.folder, self.watcher, self.notify) = (folder, watcher, notify)
        watch = Mutex(try watcher.watch(folder, notify: notify))
    }

    /// Calls `updateWatchBlocking()` without blocking the task's thread.
    package func updateWatch() async -> Bool {
        (try? await FileWork.run { () throws(FileError) in self.updateWatchBlocking() }) ?? false
    }

    /// Watches the folder that is now at the path. Blocks.
    /// - Returns: Whether it is another folder than before, so that its changes are unknown.
    package func updateWatchBlocking() -> Bool {
        watch.withLock { watch in
            if watch?.isCurrent ?? true { return false }
            do throws(FileError) { watch = try watcher.watch(folder, notify: notify) } catch {
                // There is no folder; a scan of it reports that.
                guard error != .missing, error != .wrongKind else { return false }
                watch = nil
                notify(.watchesOnlyPart)
            }
            return true
        }
    }
}
