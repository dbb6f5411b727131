import PhotoCatalog

/// The scan stage of a backup: the folders to list and the files found in them. It pauses while enough files are
/// queued.
struct BackupScanner {
    let source: any FileSource
    /// The only files to back up; `nil` for all.
    private(set) var wanted: WantedFiles?
    let isRootEmpty: Bool
    private var folders: [LibraryPath] = []
    private var foldersInFlight = 0
    private var wasCancelled = false
    private(set) var files = FileQueue()
    private(set) var visitedPaths: Set<LibraryPath> = []
    private var dates: OpenFolderDates

    init(
        _ source: any FileSource, wanted: Set<LibraryPath>?, isRootEmpty: Bool, dates: OpenFolderDates
    ) {
        self.source = source
        self.wanted = wanted.map { WantedFiles($0) }
        self.isRootEmpty = isRootEmpty
        self.dates = dates
    }

    /// Whether no folder remains to be listed.
    var isOver: Bool { folders.isEmpty && foldersInFlight == 0 }

    /// Whether every folder was listed.
    var isComplete: Bool { isOver && !wasCancelled }

    /// Returns the next folder to list, unless enough folders are being listed or enough files are queued. Each must be
    /// passed to `finishFolder` once.
    mutating func nextFolder(filesAhead: Int) -> LibraryPath? {
        guard foldersInFlight < FolderScan.parallelFolders, files.count < max(1, filesAhead),
            let folder = folders.popLast()
        else { return nil }
        foldersInFlight += 1
        return folder
    }

    mutating func finishFolder(wasCancelled: Bool) {
        foldersInFlight -= 1
        if wasCancelled { self.wasCancelled = true }
    }

    /// Queues the subfolders and files of a folder.
    /// - Returns: The queued files.
    mutating func append(_ content: FolderContent) -> [ScannedFile] {
        let selected = wanted?.select(from: content) ?? content.files
        let entered = wanted.map { wanted in content.folders.filter(wanted.isAbove) } ?? content.folders
        folders.append(contentsOf: entered.reversed())
        files.append(selected)
        dates.open(content.files, reading: selected)
        for file in content.files + content.unfinished { visitedPaths.insert(file.path) }
        for file in content.leftOut { visitedPaths.insert(file.path) }
        return selected
    }

    /// Removes the first queued file. Each must be passed to `finishFile` once.
    mutating func nextFile() -> ScannedFile? { files.popFirst() }

    /// Returns the dates of a file's folder, which exist until all queued files of the folder are finished.
    func dates(of file: ScannedFile) -> FolderDates? { dates.dates(of: file) }

    mutating func finishFile(_ file: ScannedFile) { dates.close(file) }
}

/// The files to which a backup is restricted.
struct WantedFiles {
    let paths: Set<LibraryPath>
    /// All folders that contain them.
    private let folders: Set<LibraryPath>
    /// The files that have not been found yet.
    private(set) var missing: Set<LibraryPath>
    /// The wanted paths at which there is a folder.
    private(set) var foundFolders: Set<LibraryPath> = []

    init(_ paths: Set<LibraryPath>) {
        (self.paths, missing) = (paths, paths)
        var folders: Set<LibraryPath> = []
        for path in paths { folders.formUnion(path.ancestors.prefix { !folders.contains($0) }) }
        self.folders = folders
    }

    /// Returns whether a folder contains a wanted file, or may contain one in a subfolder.
    func isAbove(_ folder: LibraryPath) -> Bool { folders.contains(folder) }

    /// Returns whether a path is wanted or is a folder of a wanted one.
    func concerns(_ path: LibraryPath) -> Bool { paths.contains(path) || folders.contains(path) }

    /// Returns the wanted files of a folder's content, which count as found.
    mutating func select(from content: FolderContent) -> [ScannedFile] {
        let selected = content.files.filter { paths.contains($0.path) }
        missing.subtract(selected.map(\.path))
        foundFolders.formUnion(content.folders.filter(paths.contains))
        return selected
    }
}

/// A first-in, first-out queue of files.
struct FileQueue: Sendable {
    private var files: [ScannedFile] = []
    private var nextIndex = 0

    var count: Int { files.count - nextIndex }
    var isEmpty: Bool { nextIndex == files.count }

    mutating func append(_ more: [ScannedFile]) {
        // Removes consumed files before more are appended.
        files.removeSubrange(..<nextIndex)
        nextIndex = 0
        files += more
    }

    mutating func popFirst() -> ScannedFile? {
        guard nextIndex < files.count else { return nil }
        defer { nextIndex += 1 }
        return files[nextIndex]
    }
}
