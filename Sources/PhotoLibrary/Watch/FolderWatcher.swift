/// Tells that something below a folder may have changed. What it was is found by looking: a scan opens nothing that it
/// remembers.
package protocol FolderWatcher: Sendable {
    /// Watches until nobody holds what is returned.
    /// - Parameter tell: called at any time and from any thread, as often as there is something to tell.
    /// - Throws: when the folder cannot be watched at all.
    func watch(
        _ folder: String, tell: @escaping @Sendable (FolderSignal) -> Void
    ) throws(FileError) -> any FolderWatch
}

/// A folder that is being watched, as long as it is held.
package protocol FolderWatch: AnyObject, Sendable {
    /// Whether what it watches still is what stands at the folder's path. It is not once the folder's disk was mounted or
    /// unmounted, or the folder was made anew. Blocks.
    var isCurrent: Bool { get }
}

/// What is told of a watched folder.
package enum FolderSignal: Sendable, Equatable {
    /// Something below it changed, or may have.
    case changed
    /// Changes of some of it will not be told: the system watches no more folders.
    case watchesOnlyPart
}
