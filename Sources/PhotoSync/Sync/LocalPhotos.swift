import PhotoCatalog

/// A photo, video or sidecar in the folder, with its content if that is known. The content of a file that is being
/// written is unknown.
struct LocalPhoto: Sendable {
    let file: ScannedFile
    let md5: ContentDigest?

    var path: LibraryPath { file.path }
}

/// The files in the folder, sorted by the bytes of their paths.
struct LocalPhotos: Sendable {
    let photos: [LocalPhoto]
    /// Files that are not photos, videos or sidecars.
    private let leftOut: [LeftOutFile]
    private let problems: [ScanProblem]
    private let ignores: FolderIgnores

    init(_ content: FolderContent, _ ignores: FolderIgnores, md5 digest: (ScannedFile) -> ContentDigest?) {
        photos =
            (content.files.map { LocalPhoto(file: $0, md5: digest($0)) }
            + content.unfinished.map { LocalPhoto(file: $0, md5: nil) }).sorted { $0.path < $1.path }
        leftOut = content.leftOut.sorted { $0.path < $1.path }
        problems = content.problems
        self.ignores = ignores
    }

    /// The numbers of files with each known content at paths at which no file was synced.
    func arrivals(since synced: SyncedFiles) -> [ContentDigest: Int] {
        photos.reduce(into: [:]) { counts, photo in
            if let md5 = photo.md5, synced[photo.path] == nil { counts[md5, default: 0] += 1 }
        }
    }

    /// Returns whether the folder ignores a path at which it has no photo.
    func isIgnored(_ path: LibraryPath) -> Bool { ignores.isIgnoredWithParents(path) }

    subscript(path: LibraryPath) -> LocalPhoto? {
        Self.find(path, in: photos, \.path).map { photos[$0] }
    }

    /// Returns a file at a path, or in place of one of its parent folders, that is not a photo.
    func leftOut(at path: LibraryPath) -> LeftOutFile? {
        var ancestor: LibraryPath? = path
        while let candidate = ancestor {
            if let found = Self.find(candidate, in: leftOut, \.path) { return leftOut[found] }
            ancestor = LibraryPath(candidate.folder)
        }
        return nil
    }

    /// Returns whether a path or one of its parent folders could not be read, so that a missing file may exist.
    /// Includes `mayHaveUnusableName`.
    func isUncertain(_ path: LibraryPath) -> Bool {
        problems.contains { path.isBelow($0.path[...]) } || mayHaveUnusableName(path)
    }

    /// Returns whether a path is at or below the parent of a folder whose name cannot be used: it may be in that
    /// folder. A file with such a name does not count here: `SyncLosses.confirmedRemovals` compares its
    /// length.
    func mayHaveUnusableName(_ path: LibraryPath) -> Bool {
        problems.contains { problem in
            guard problem.reason == .unusableName, problem.size == nil else { return false }
            let slash = problem.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            return slash.map { path.isBelow(problem.path[..<$0]) } ?? true
        }
    }

    private static func find<Element>(
        _ path: LibraryPath, in sorted: [Element], _ key: KeyPath<Element, LibraryPath>
    ) -> Int? {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle][keyPath: key] < path { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low][keyPath: key] == path ? low : nil
    }
}

extension LibraryPath {
    /// Returns whether the path is equal to a location or inside it.
    fileprivate func isBelow(_ folder: Substring) -> Bool {
        let suffix = description.utf8.dropFirst(folder.utf8.count)
        return description.utf8.starts(with: folder.utf8) && (suffix.isEmpty || suffix.first == UInt8(ascii: "/"))
    }
}
