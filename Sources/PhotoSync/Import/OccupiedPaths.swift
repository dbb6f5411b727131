import ForeignExports
import PhotoCatalog
import Synchronization

/// The paths of the library that are or were those of other photos than the files of an export. All files of a photo avoid
/// them together, so that a picture, its video and its description stay side by side.
final class OccupiedPaths: Sendable {
    private struct State {
        /// The digests of files that were read; `nil` for those that cannot be read.
        var digests: [Int: ContentDigest?] = [:]
        var unread: Set<Int> = []
    }

    private let catalog: Catalog
    private let files: ForeignExportFiles
    /// What an earlier import of the same files read, by the numbers of resources.
    private let known: [UInt64: (size: Int64, md5: ContentDigest)]
    private let state = Mutex(State())

    init(_ catalog: Catalog, _ files: ForeignExportFiles, _ journal: BackupJournal) {
        (self.catalog, self.files) = (catalog, files)
        known = Dictionary(
            journal.entries.values.map { ($0.fingerprint.inode, ($0.fingerprint.size, $0.md5)) },
            uniquingKeysWith: { $1 })
    }

    /// Returns whether a path is or was that of other contents than a file, and not of the file. If only the file's bytes
    /// decide, it returns `false`, and `readFiles` reads them.
    func isTaken(_ path: LibraryPath, _ index: Int) -> Bool {
        let contents = catalog.contentsEver(at: path)
        guard !contents.isEmpty else { return false }
        let file = files.files[index]
        guard contents.contains(where: { $0.size ?? file.size == file.size }) else { return true }
        let digest: ContentDigest??
        if let earlier = known[ForeignExportSource.item(file, at: path).number], earlier.size == file.size {
            digest = earlier.md5
        } else {
            digest = state.withLock { state in
                if state.digests[index] == nil { state.unread.insert(index) }
                return state.digests[index]
            }
        }
        guard case let digest?? = digest else { return false }
        return !contents.contains { $0.md5 == digest }
    }

    /// Reads the files whose bytes decide.
    /// - Returns: `false` if there were none.
    /// - Throws: `BackupError.cancelled`
    func readFiles() async throws(BackupError) -> Bool {
        let unread = state.withLock { state in
            defer { state.unread = [] }
            return state.unread
        }
        for index in unread.sorted() {
            let digest: ContentDigest?
            do { digest = try await files.digest(of: index) } catch { throw .cancelled }
            state.withLock { $0.digests[index] = .some(digest) }
        }
        return !unread.isEmpty
    }
}
