import PhotoCatalog

/// A folder of this device, and the folder of the library to which its files belong.
struct FolderRoot: Sendable {
    /// The resolved path, without symbolic links.
    let path: String
    /// The folder of the library; `nil` for its root.
    var destination: LibraryPath?

    /// The name of the folder's state on this device: each destination has its own.
    var stateName: String { destination.map { "\(path)\0\($0)" } ?? path }

    /// Returns the path in the file system of a file with a path in the library.
    func localPath(of file: LibraryPath) -> String { "\(path)/\(below(file) ?? file)" }

    /// Returns the path in the library of a file with a path in this folder; `nil` if it is too long.
    func libraryPath(of file: LibraryPath) -> LibraryPath? {
        guard let destination else { return file }
        return destination.appending(file.description)
    }

    /// Returns the path in this folder of a path in the library; `nil` if it is not below the destination.
    func below(_ file: LibraryPath) -> LibraryPath? {
        guard let destination = destination?.description else { return file }
        guard file.description.utf8.starts(with: "\(destination)/".utf8) else { return nil }
        return LibraryPath(known: String(file.description.utf8.dropFirst(destination.utf8.count + 1)) ?? "")
    }
}

extension FolderContent {
    /// Returns the content with its paths in the library. A file or folder whose path is too long there is a problem.
    func moved(from root: FolderRoot) -> FolderContent {
        guard root.destination != nil else { return self }
        var moved = FolderContent()
        moved.problems = problems.map { problem in
            var moved = ScanProblem(path: root.displayPath(of: problem.path), reason: problem.reason)
            moved.size = problem.size
            return moved
        }
        func map<Item>(_ items: [Item], _ path: (Item) -> LibraryPath, _ change: (Item, LibraryPath) -> Void) {
            for item in items {
                if let inLibrary = root.libraryPath(of: path(item)) {
                    change(item, inLibrary)
                } else {
                    moved.problems.append(
                        ScanProblem(path: root.displayPath(of: path(item).description), reason: .unusableName))
                }
            }
        }
        map(files, \.path) { moved.files.append($0.at($1)) }
        map(unfinished, \.path) { moved.unfinished.append($0.at($1)) }
        map(folders, \.self) { moved.folders.append($1) }
        moved.synced = synced.compactMap(root.libraryPath)
        moved.leftOut = leftOut.compactMap { file in
            root.libraryPath(of: file.path).map { LeftOutFile(path: $0, reason: file.reason) }
        }
        moved.clashes = clashes.map { NameClash(paths: $0.paths.compactMap(root.libraryPath)) }
        moved.nonMedia = nonMedia.compactMap { file in
            root.libraryPath(of: file.path).map { ($0, file.fingerprint) }
        }
        return moved
    }
}

extension FolderRoot {
    /// Returns the path in the library of a scan problem, which need not be possible there.
    fileprivate func displayPath(of path: String) -> String { destination.map { "\($0)/\(path)" } ?? path }
}

extension ScannedFile {
    fileprivate func at(_ path: LibraryPath) -> ScannedFile {
        ScannedFile(path: path, fingerprint: fingerprint, type: type, isSequential: isSequential)
    }
}
