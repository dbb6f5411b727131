import Synchronization

/// A folder that is watched, and watched anew where another one stands in its place by now: its disk was mounted, or the
/// folder was made again. The system tells nothing of that.
package final class WatchedFolder: Sendable {
    private let folder: String
    private let watcher: any FolderWatcher
    private let tell: @Sendable (FolderSignal) -> Void
    private let watch: Mutex<(any FolderWatch)?>

    /// - Throws: when the folder cannot be watched at all.
    package init(
        _ folder: String, by watcher: any FolderWatcher, tell: @escaping @Sendable (FolderSignal) -> Void
    ) throws(FileError) {
        (self.folder, self.watcher, self.tell) = (folder, watcher, tell)
        watch = Mutex(try watcher.watch(folder, tell: tell))
    }

    /// The same, for a task that is not to be held up by a disk.
    package func followed() async -> Bool {
        (try? await FileWork.run { () throws(FileError) in self.follow() }) ?? false
    }

    /// Watches the folder that stands there now. Blocks.
    /// - Returns: whether it is another one than before, so that nobody knows what changed in it.
    package func follow() -> Bool {
        watch.withLock { watch in
            if watch?.isCurrent ?? true { return false }
            do throws(FileError) { watch = try watcher.watch(folder, tell: tell) } catch {
                // There is none: whoever looks into it is told so.
                guard error != .missing, error != .wrongKind else { return false }
                watch = nil
                tell(.watchesOnlyPart)
            }
            return true
        }
    }
}
