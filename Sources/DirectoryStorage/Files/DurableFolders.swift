import Foundation
import ObjectStorage
import Synchronization

/// Creates folders whose names are durable before anything is written into them.
final class DurableFolders: Sendable {
    private static let capacity = 10_000

    private let root: String
    private let durable = Mutex<Set<String>>([])

    init(root: String) { self.root = root }

    /// Creates a folder and its parents; `""` is the root itself.
    ///
    /// An existing folder is not necessarily durable: another process may have just created it. Each process
    /// therefore syncs each folder's parent once.
    func ensure(_ folder: String) throws(ObjectStoreError) {
        if folder.isEmpty || durable.withLock({ $0.contains(folder) }) { return }
        let parent = Self.parent(of: folder)
        try ensure(parent)
        let path = "\(root)/\(folder)"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(errno, "create folder", path) }
        try synchronize(parent)
        durable.withLock { durable in
            if durable.count >= Self.capacity { durable.removeAll() }
            durable.insert(folder)
        }
    }

    /// Makes the names in a folder durable.
    func synchronize(_ folder: String) throws(ObjectStoreError) {
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        guard let opened = try OpenFile.reading(path) else { throw .system(ENOENT, "open", path) }
        try opened.synchronize()
    }

    /// Clears the cache, because folders were removed externally.
    func invalidate() { durable.withLock { $0.removeAll() } }

    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
