import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Walks a folder and finds the photos and videos in it, by their content.
///
/// Links are not followed, so a loop cannot be entered and nothing outside the folder is touched. What cannot be read
/// is reported and the walk goes on. Files whose name begins with `.photolala` are the library's own and passed over.
package struct FolderScan: Sendable {
    private let root: String
    private let known: @Sendable (LibraryPath, FileStamp) -> MediaType?

    /// - Parameter known: the type of a file that has not changed since it was last looked at, which saves opening it.
    package init(
        root: String, known: @escaping @Sendable (LibraryPath, FileStamp) -> MediaType? = { _, _ in nil }
    ) {
        self.root = root
        self.known = known
    }

    /// Walks the folder.
    /// - Throws: when the folder itself cannot be read, or the task was cancelled.
    package func run() async throws(FileError) -> ScanResult {
        var result = ScanResult()
        // The next folder is at the end; a folder's own folders are put there in reverse.
        var waiting: [LibraryPath?] = [nil]
        while let folder = waiting.popLast() {
            if Task.isCancelled { throw .cancelled }
            do {
                let found = try await FileWork.run { () throws(FileError) in try look(into: folder) }
                result.add(found)
                waiting.append(contentsOf: found.folders.reversed())
            } catch {
                guard let folder, error != .cancelled else { throw error }
                result.problems.append(ScanProblem(path: folder.description, reason: .file(error)))
            }
        }
        result.files.sort { $0.path < $1.path }
        result.leftOut.sort { $0.path < $1.path }
        result.problems.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return result
    }

    /// One folder's content, as one piece of blocking work.
    private func look(into folder: LibraryPath?) throws(FileError) -> FolderContent {
        var content = FolderContent()
        // The real path of the file system's root is spelled as nothing, so that names can be joined to it.
        let place = folder.map { "\(root)/\($0)" } ?? (root.isEmpty ? "/" : root)
        for bytes in try FolderListing.names(of: place) where !bytes.starts(with: ".photolala".utf8) {
            let shown = String(decoding: bytes, as: UTF8.self)
            guard let name = String(validating: bytes, as: UTF8.self),
                let path = folder.map({ $0.appending(name) }) ?? LibraryPath(name)
            else {
                let path = folder.map { "\($0)/\(shown)" } ?? shown
                content.problems.append(ScanProblem(path: path, reason: .unusableName))
                continue
            }
            do {
                try look(at: path, &content)
            } catch {
                content.problems.append(ScanProblem(path: path.description, reason: .file(error)))
            }
        }
        return content
    }

    private func look(at path: LibraryPath, _ content: inout FolderContent) throws(FileError) {
        var status = stat()
        guard lstat("\(root)/\(path)", &status) == 0 else { throw .last }
        if status.isFolder {
            content.folders.append(path)
        } else if !status.isRegularFile {
            content.leftOut.append(LeftOutFile(path: path, reason: status.isLink ? .link : .special))
        } else if status.st_size == 0 {
            content.leftOut.append(LeftOutFile(path: path, reason: .empty))
        } else if let type = try type(of: path, FileStamp(status)) {
            content.files.append(ScannedFile(path: path, stamp: FileStamp(status), type: type))
        } else {
            content.leftOut.append(LeftOutFile(path: path, reason: .noPhotoOrVideo))
        }
    }

    private func type(of path: LibraryPath, _ stamp: FileStamp) throws(FileError) -> MediaType? {
        if let type = known(path, stamp) { return type }
        let head = try OpenFile("\(root)/\(path)").read(from: 0, count: MediaSniffer.headLength)
        return MediaSniffer.type(head: head, name: path.name)
    }
}

private struct FolderContent: Sendable {
    var files: [ScannedFile] = []
    var folders: [LibraryPath] = []
    var problems: [ScanProblem] = []
    var leftOut: [LeftOutFile] = []
}

extension ScanResult {
    fileprivate mutating func add(_ content: FolderContent) {
        files += content.files
        problems += content.problems
        leftOut += content.leftOut
    }
}
