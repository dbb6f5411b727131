import Foundation
import ObjectStorage
import Synchronization

/// Makes folders whose names survive a loss of power before anything is put into them.
final class DurableFolders: Sendable {
    private static let remembered = 10_000

    private let root: String
    private let durable = Mutex<Set<String>>([])

    init(root: String) { self.root = root }

    /// Makes a folder and those above it; `""` is the root itself.
    ///
    /// That a folder exists does not say that its name is durable: another process may have made it a moment ago.
    /// So each process syncs each folder's parent once.
    func ensure(_ folder: String) throws(ObjectStoreError) {
        if folder.isEmpty || durable.withLock({ $0.contains(folder) }) { return }
        let parent = Self.parent(of: folder)
        try ensure(parent)
        let path = "\(root)/\(folder)"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(errno, "create folder", path) }
        try synchronize(parent)
        durable.withLock { durable in
            if durable.count >= Self.remembered { durable.removeAll() }
            durable.insert(folder)
        }
    }

    /// Makes the names in a folder durable.
    func synchronize(_ folder: String) throws(ObjectStoreError) {
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        guard let opened = try OpenFile.reading(path) else { throw .system(ENOENT, "open", path) }
        try opened.synchronize()
    }

    /// Forgets what was known, for when somebody removed folders under us.
    func forget() { durable.withLock { $0.removeAll() } }

    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
