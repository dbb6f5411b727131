/// A source of signals that files below a folder may have changed. The changes themselves are found by a scan, which
/// does not open unchanged files.
package protocol FolderWatcher: Sendable {
    /// Watches a folder until the returned object is released.
    /// - Parameter notify: Called for each signal, at any time and from any thread.
    /// - Throws: If the folder cannot be watched at all.
    func watch(
        _ folder: String, notify: @escaping @Sendable (FolderSignal) -> Void
    ) throws(FileError) -> any FolderWatch
}

/// A watched folder. Watching ends when it is released.
package protocol FolderWatch: AnyObject, Sendable {
    /// Whether the path still refers to the watched folder. That changes when the folder's disk is mounted or
    /// unmounted, or the folder is recreated. Blocks.
    var isCurrent: Bool { get }
}

/// A signal about a watched folder.
package enum FolderSignal: Sendable, Equatable {
    /// Something below the folder changed, or may have.
    case changed
    /// Changes in parts of the folder are not signaled, because the system's limit of watches is reached.
    case watchesOnlyPart
}
