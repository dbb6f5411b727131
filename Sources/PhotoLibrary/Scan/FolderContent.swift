/// What one folder holds, its own folders not looked into.
struct FolderContent: Sendable {
    var files: [ScannedFile] = []
    var folders: [LibraryPath] = []
    var problems: [ScanProblem] = []
    var leftOut: [LeftOutFile] = []
    var clashes: [NameClash] = []
    /// Folders in it that have the mark of a sync of their own.
    var synced: [LibraryPath] = []
    /// Files that were none of the library's business before, and may be sidecars whose photo is there by now: known when
    /// all of the folder is.
    var setAside: [LibraryPath] = []
    /// Photos and videos that are being written, to be looked at another time.
    var unfinished: [ScannedFile] = []
    /// Files that were opened and are none of the library's business.
    var foreign: [(path: LibraryPath, stamp: FileStamp)] = []
}

extension FolderContent {
    /// Whether there was nothing at all, but for the library's own files.
    var isEmpty: Bool {
        files.isEmpty && folders.isEmpty && problems.isEmpty && leftOut.isEmpty && unfinished.isEmpty
    }

    /// Adds what stands behind further names of the same folder.
    mutating func append(_ more: FolderContent) {
        files += more.files
        folders += more.folders
        problems += more.problems
        leftOut += more.leftOut
        synced += more.synced
        setAside += more.setAside
        foreign += more.foreign
    }

    /// Names that only one more careful than other systems keeps apart: here they are two files, there they would be
    /// one.
    mutating func findClashes() {
        // Swift's strings are equal when only their normalisation differs.
        var same: [String: [LibraryPath]] = [:]
        for path in files.map(\.path) + folders { same[path.name.lowercased(), default: []].append(path) }
        clashes = same.values.filter { $0.count > 1 }.map { NameClash(paths: $0.sorted()) }
            .sorted { $0.paths[0] < $1.paths[0] }
    }

    /// Leaves out sidecars whose photo is not there.
    mutating func dropStraySidecars() {
        guard files.contains(where: { $0.type.isSidecar }) else { return }
        let strays = Set(MediaGroup.groups(of: files.map { ($0.path, $0.type) }).strays)
        for file in files where strays.contains(file.path) {
            leftOut.append(LeftOutFile(stray: file.path, file.type))
            foreign.append((file.path, file.stamp))
        }
        files.removeAll { strays.contains($0.path) }
    }

    /// Leaves out what was set aside and has no photo beside it.
    /// - Returns: the other names, which are to be looked at again.
    mutating func decideOnSetAside() -> [[UInt8]] {
        guard !setAside.isEmpty else { return [] }
        let sidecars = setAside.compactMap { path in SidecarName(path.name).map { (path: path, type: $0.type) } }
        setAside = []
        let strays = Set(MediaGroup.groups(of: files.map { (path: $0.path, type: $0.type) } + sidecars).strays)
        for file in sidecars where strays.contains(file.path) {
            leftOut.append(LeftOutFile(stray: file.path, file.type))
        }
        return sidecars.filter { !strays.contains($0.path) }.map { Array($0.path.name.utf8) }
    }
}

extension LeftOutFile {
    /// A sidecar without its photo. A description of nothing is any JSON file.
    fileprivate init(stray path: LibraryPath, _ type: MediaType) {
        self.init(path: path, reason: type == .takeoutDescription ? .noPhotoOrVideo : .withoutPhoto)
    }
}
