import NIOCore
import PhotoCatalog
import Synchronization

/// The files and folders of a folder that are ignored: by the operation's filter, by the ignore files in the folder and
/// its subfolders, or as `IgnoreRules.standard`, in the order of precedence. What is in an ignored folder is ignored.
final class FolderIgnores: Sendable {
    /// The name of an ignore file, which has the syntax of `.gitignore`.
    static let fileName = ".photolalaignore"

    private let root: String
    private let filter: FolderFilter
    /// The rules of the ignore files that were read, by the path of their folder; empty for the root.
    private let files = Mutex<[String: IgnoreRules]>([:])

    /// - Parameter root: The resolved path of the folder.
    init(root: String, filter: FolderFilter) { (self.root, self.filter) = (root, filter) }

    /// Reads the ignore file of a folder, if it has one. Blocks.
    /// - Throws: `malformedIgnoreFile`, or why it cannot be read: nothing in the folder may be read then, because it
    ///   might have to be ignored.
    func read(of folder: LibraryPath?) throws(FileError) {
        let path = folder.map { "\(root)/\($0)" } ?? root
        let bytes: ByteBuffer
        do throws(FileError) {
            let file = try OpenFile("\(path)/\(Self.fileName)")
            guard try file.fingerprint().size <= IgnoreRules.longestFile else {
                throw FileError.malformedIgnoreFile(line: nil)
            }
            bytes = try file.read(from: 0, count: IgnoreRules.longestFile)
        } catch {
            // A symbolic link is not followed, and may mean a file that exists.
            switch error {
            case .missing: return
            case .wrongKind: throw .unusableIgnoreFile
            default: throw error
            }
        }
        let rules: IgnoreRules
        do { rules = try IgnoreRules(text: bytes.readableBytesView) } catch {
            throw .malformedIgnoreFile(line: error.number)
        }
        files.withLock { $0[folder?.description ?? ""] = rules }
    }

    /// Returns whether a file or folder is ignored, given that none of its parent folders is and that their ignore
    /// files were read.
    func isIgnored(_ path: LibraryPath, isFolder: Bool) -> Bool {
        let text = path.description[...]
        let whole = RelativePath(text)
        if let verdict = filter.excluded.verdict(on: whole, isFolder: isFolder) { return verdict }
        if !isFolder, !filter.included.isEmpty, !isIncluded(path) { return true }
        let files = files.withLock { $0 }
        if !files.isEmpty {
            // The innermost ignore file comes first.
            for folder in path.ancestors.map(\.description) {
                guard let rules = files[folder] else { continue }
                let below = RelativePath(Substring(text.utf8.dropFirst(folder.utf8.count + 1)))
                if let verdict = rules.verdict(on: below, isFolder: isFolder) { return verdict }
            }
            if let verdict = files[""]?.verdict(on: whole, isFolder: isFolder) { return verdict }
        }
        return IgnoreRules.standard.verdict(on: whole, isFolder: isFolder) ?? false
    }

    /// Returns whether a folder or one of its parents is ignored.
    func isIgnoredFolder(_ path: LibraryPath) -> Bool {
        isIgnored(path, isFolder: true) || path.ancestors.contains { isIgnored($0, isFolder: true) }
    }

    /// Returns whether a path is that of an ignored file, or of a file in an ignored folder.
    func isIgnoredWithParents(_ path: LibraryPath) -> Bool {
        isIgnored(path, isFolder: false) || path.ancestors.contains { isIgnored($0, isFolder: true) }
    }

    private func isIncluded(_ path: LibraryPath) -> Bool {
        let included = filter.included
        return included.verdict(on: RelativePath(path.description[...]), isFolder: false) == true
            || path.ancestors.contains {
                included.verdict(on: RelativePath($0.description[...]), isFolder: true) == true
            }
    }
}
