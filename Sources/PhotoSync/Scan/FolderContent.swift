import PhotoCatalog

/// The content of one folder, without that of its subfolders.
struct FolderContent: Sendable {
    var files: [ScannedFile] = []
    var folders: [LibraryPath] = []
    var problems: [ScanProblem] = []
    var leftOut: [LeftOutFile] = []
    var clashes: [NameClash] = []
    /// Folders that have the marker of a sync.
    var synced: [LibraryPath] = []
    /// Files that were not part of the library before, and may be sidecars whose photo exists by now. They are
    /// classified once the whole folder is listed.
    var deferred: [LibraryPath] = []
    /// Photos and videos that are being written and are handled later.
    var unfinished: [ScannedFile] = []
    /// Files that were opened and do not belong to the library.
    var nonMedia: [(path: LibraryPath, fingerprint: FileFingerprint)] = []
}

extension FolderContent {
    /// Whether the folder has no content except the library's own files.
    var isEmpty: Bool {
        files.isEmpty && folders.isEmpty && problems.isEmpty && leftOut.isEmpty && unfinished.isEmpty
    }

    /// Adds the content for further names of the same folder.
    mutating func append(_ more: FolderContent) {
        files += more.files
        folders += more.folders
        problems += more.problems
        leftOut += more.leftOut
        synced += more.synced
        deferred += more.deferred
        nonMedia += more.nonMedia
    }

    /// Finds names that are distinct only on case-sensitive or normalization-sensitive file systems: here they are two
    /// files, on other systems they would be one.
    mutating func findClashes() {
        // Swift strings that differ only in normalization are equal.
        var same: [String: [LibraryPath]] = [:]
        for path in files.map(\.path) + folders { same[path.name.lowercased(), default: []].append(path) }
        clashes = same.values.filter { $0.count > 1 }.map { NameClash(paths: $0.sorted()) }
            .sorted { $0.paths[0] < $1.paths[0] }
    }

    /// Leaves out sidecars without their photo.
    mutating func dropStraySidecars() {
        guard files.contains(where: { $0.type.isSidecar }) else { return }
        let unmatched = Set(MediaGroup.groups(of: files.map { ($0.path, $0.type) }).strays)
        for file in files where unmatched.contains(file.path) {
            leftOut.append(LeftOutFile(unmatched: file.path, file.type))
            nonMedia.append((file.path, file.fingerprint))
        }
        files.removeAll { unmatched.contains($0.path) }
    }

    /// Leaves out deferred files that have no photo.
    /// - Returns: The other names, which must be read again.
    mutating func resolveDeferred() -> [[UInt8]] {
        guard !deferred.isEmpty else { return [] }
        let sidecars = deferred.compactMap { path in SidecarName(path.name).map { (path: path, type: $0.type) } }
        deferred = []
        let unmatched = Set(MediaGroup.groups(of: files.map { (path: $0.path, type: $0.type) } + sidecars).strays)
        for file in sidecars where unmatched.contains(file.path) {
            leftOut.append(LeftOutFile(unmatched: file.path, file.type))
        }
        return sidecars.filter { !unmatched.contains($0.path) }.map { Array($0.path.name.utf8) }
    }
}

extension LeftOutFile {
    /// Creates the record of a sidecar without its photo. For Takeout descriptions, which can be any JSON file, the
    /// reason is `noPhotoOrVideo`.
    fileprivate init(unmatched path: LibraryPath, _ type: MediaType) {
        self.init(path: path, reason: type == .takeoutDescription ? .noPhotoOrVideo : .withoutPhoto)
    }
}
