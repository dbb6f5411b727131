import PhotolalaClient

/// The folders and files of one version of a library.
struct LibraryTree: Sendable {
    /// The content of a folder.
    struct Folder: Sendable {
        fileprivate(set) var folders: [String] = []
        /// The indices of its files.
        fileprivate(set) var files: [Int] = []
    }

    private let photos: LibraryPhotos
    /// The root has the empty path.
    private var folders: [String: Folder] = ["": Folder()]
    /// The indices of the files by path. Texts are equal regardless of Unicode normalization, so two files may share one.
    private var files: [String: [Int]] = [:]

    init(_ photos: LibraryPhotos) {
        self.photos = photos
        for index in photos.indices {
            let path = photos[index].path
            files[path, default: []].append(index)
            addFolder(Self.folder(of: path))
            folders[Self.folder(of: path), default: Folder()].files.append(index)
        }
    }

    private mutating func addFolder(_ path: String) {
        guard folders[path] == nil else { return }
        folders[path] = Folder()
        let parent = Self.folder(of: path)
        addFolder(parent)
        folders[parent, default: Folder()].folders.append(Self.name(of: path))
    }

    func folder(_ path: String) -> Folder? { folders[path] }

    /// Returns the file at a path: the one with exactly these bytes, otherwise one with another Unicode normalization.
    func photo(_ path: String) -> LibraryPhoto? {
        let found = files[path] ?? []
        let exact = found.first { photos[$0].path.utf8.elementsEqual(path.utf8) }
        return (exact ?? found.first).map { photos[$0] }
    }

    func photo(at index: Int) -> LibraryPhoto { photos[index] }

    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }
}

/// The newest version of the library, read again after an interval.
actor CurrentTree {
    private let read: @Sendable () async throws(PhotolalaError) -> LibraryPhotos
    private let interval: Duration
    private let clock: @Sendable () -> ContinuousClock.Instant
    private var known: (tree: LibraryTree, until: ContinuousClock.Instant)?
    private var reading: Task<Result<LibraryTree, PhotolalaError>, Never>?

    init(
        interval: Duration, clock: @escaping @Sendable () -> ContinuousClock.Instant,
        read: @escaping @Sendable () async throws(PhotolalaError) -> LibraryPhotos
    ) {
        (self.interval, self.clock, self.read) = (interval, clock, read)
    }

    /// Returns the tree. Concurrent callers share one read. If a read fails, the last tree is served until one succeeds.
    func tree() async throws(PhotolalaError) -> LibraryTree {
        if let known, clock() < known.until { return known.tree }
        let task =
            reading
            ?? Task { [read] in
                do throws(PhotolalaError) { return .success(LibraryTree(try await read())) } catch {
                    return .failure(error)
                }
            }
        reading = task
        let result = await task.value
        reading = nil
        switch result {
        case .success(let tree):
            known = (tree, clock() + interval)
            return tree
        case .failure(let error):
            guard let known, error.code != .notSignedIn else { throw error }
            return known.tree
        }
    }
}
