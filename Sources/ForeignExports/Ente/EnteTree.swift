import PhotoCatalog

/// The albums of exports of Ente: folders with a folder of descriptions, and those beside them.
struct EnteTree {
    struct Album {
        var media: [Int] = []
        var descriptions: [Int] = []
        /// Whether the desktop app moved its files to the trash of the export, because they are no longer in the album.
        var isTrash = false
        /// Whether it is no album of Ente: a folder of the export in which someone put photos.
        var isOther = false
    }

    private(set) var albums: [ExportedFolder: Album] = [:]
    /// The record of each export.
    private(set) var records: [ExportedFolder: Int] = [:]
    /// The names of the files in the normalization form in which names are compared.
    private(set) var names: [String]
    private(set) var repeated: [Int] = []

    init(_ files: [ExportedFile]) {
        names = Array(repeating: "", count: files.count)
        var known = RepeatedFiles()
        var others: [ExportedFolder: [Int]] = [:]
        for index in files.indices.sorted(by: { (files[$0].path, $0) < (files[$1].path, $1) }) {
            guard let (path, name) = ExportedName.location(of: files[index].path),
                !ExportedName.isOfSystem(name, in: path)
            else { continue }
            names[index] = name
            let folder = ExportedFolder(container: files[index].container, path: path)
            if Self.isDescription(files[index].path) {
                if let album = folder.parent { albums[album, default: Album()].descriptions.append(index) }
            } else if name == Self.record {
                records[folder] = index
            } else if known.isRepeated(files[index], at: "\(path)/\(name)") {
                repeated.append(index)
            } else {
                others[folder, default: []].append(index)
            }
        }
        addMedia(others)
    }

    /// The desktop app's record of an export.
    private static let record = "export_status.json"
    private static let trash = "Trash"

    /// Returns the folder of the export with an album; `nil` for an album at the top.
    func root(of album: ExportedFolder) -> ExportedFolder? {
        sequence(first: album, next: \.parent).first { records[$0] != nil } ?? album.parent
    }

    /// Returns whether a file is in a folder for descriptions: `metadata` of the desktop app, `.meta` of `ente export`.
    static func isDescription(_ path: String) -> Bool {
        guard let (folder, name) = ExportedName.location(of: path) else { return false }
        return name.lowercased().hasSuffix(".json") && ["metadata", ".meta"].contains(ExportedName.last(of: folder))
    }

    static func isRecord(_ path: String) -> Bool { ExportedName.location(of: path)?.name == record }

    private mutating func addMedia(_ others: [ExportedFolder: [Int]]) {
        let known = Set(records.keys)
        // An album of this name is in a folder with the record of an export, as all albums are.
        let isTrash = { (folder: ExportedFolder) in
            guard let parent = folder.parent, !known.contains(parent) else { return false }
            return ExportedName.last(of: parent.path) == Self.trash
        }
        let roots = known.union(albums.keys.filter { !isTrash($0) }.compactMap(\.parent))
        for (folder, media) in others {
            let isInTrash = isTrash(folder) && folder.parent?.parent.map(roots.contains) ?? false
            guard albums[folder] != nil || isInTrash || folder.parent.map(roots.contains) ?? false else { continue }
            albums[folder, default: Album()].media += media
        }
        for folder in albums.keys where isTrash(folder) { albums[folder]?.isTrash = true }
        addOthers(others, below: roots)
    }

    /// Adds the photos in the folder of an export itself and in folders of albums.
    private mutating func addOthers(_ others: [ExportedFolder: [Int]], below roots: Set<ExportedFolder>) {
        var found: [ExportedFolder: Album] = [:]
        for (folder, files) in others where albums[folder] == nil {
            guard sequence(first: folder, next: \.parent).contains(where: roots.contains) else { continue }
            let media = files.filter { FileExtensions.isNamedLikeMedia(names[$0]) }
            guard !media.isEmpty else { continue }
            let isTrash = album(around: folder).flatMap { albums[$0] }?.isTrash ?? false
            found[folder] = Album(media: media, isTrash: isTrash, isOther: true)
        }
        albums.merge(found) { album, _ in album }
    }

    /// Returns the nearest album of Ente that contains a folder, which may be the folder itself.
    func album(around folder: ExportedFolder) -> ExportedFolder? {
        sequence(first: folder, next: \.parent).first { albums[$0].map { !$0.isOther } ?? false }
    }
}
