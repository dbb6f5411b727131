import PhotoCatalog

/// A photo or video of an export, with what the service says about it.
struct GroupedPhoto {
    let file: Int
    /// The name in the library.
    var name: String
    /// The name in the service's lists.
    var listedName: String
    var taken: Timestamp?
    var location: GeoLocation?
    var isFavorite = false
    var isHidden = false
    var isTrashed = false
    /// The file with its description.
    var description: Int?

    init(file: Int, name: String) { (self.file, self.name, listedName) = (file, name, name) }

    var stem: String { ExportedName.split(name).stem }
    var ending: String { ExportedName.split(name).ending.lowercased() }
    var isPicture: Bool { [".heic", ".heif", ".jpg", ".jpeg", ".avif"].contains(ending) }
    var isVideo: Bool { [".mov", ".mp4"].contains(ending) }
    var isSidecar: Bool { [".aae", ".xmp"].contains(ending) }
}

/// Files of one folder and stem that were taken at the same time, such as the halves of a Live Photo. In the library they
/// keep one stem.
struct PhotoGroup {
    var photos: [GroupedPhoto]
    /// The shared album of which they are.
    let sharedAlbum: String?
    /// The indices of the items; `nil` if they are not imported.
    var items: Range<Int>?

    /// The halves of a Live Photo can have dates in whole minutes that differ.
    static let longestDistance: Int64 = 120

    static func groups(_ photos: [GroupedPhoto], sharedAlbum: String? = nil) -> [PhotoGroup] {
        var (groups, byStem) = ([PhotoGroup](), [String: [Int]]())
        let order = photos.filter(\.isPicture) + photos.filter { !$0.isPicture && !$0.isSidecar }
        for photo in order + photos.filter(\.isSidecar) {
            let stem = photo.stem.lowercased()
            if let index = byStem[stem]?.first(where: { groups[$0].accepts(photo) }) {
                groups[index].photos.append(photo)
            } else {
                byStem[stem, default: []].append(groups.count)
                groups.append(PhotoGroup(photos: [photo], sharedAlbum: sharedAlbum))
            }
        }
        return groups
    }

    private func accepts(_ photo: GroupedPhoto) -> Bool {
        guard !photos.contains(where: { $0.ending == photo.ending }) else { return false }
        if photo.isSidecar { return true }
        guard isTrashed == photo.isTrashed else { return false }
        guard let taken, let other = photo.taken else { return true }
        return abs(taken.seconds - other.seconds) <= Self.longestDistance
    }

    var names: [String] { photos.map(\.name) }
    var taken: Timestamp? { photos.lazy.compactMap(\.taken).first }
    var location: GeoLocation? { photos.lazy.compactMap(\.location).first }
    var isFavorite: Bool { photos.contains(where: \.isFavorite) }
    var isHidden: Bool { photos.contains(where: \.isHidden) }
    var isTrashed: Bool { photos[0].isTrashed }
    var isLivePhoto: Bool { photos.contains(where: \.isPicture) && photos.contains(where: \.isVideo) }

    /// What determines the order in which names are given.
    func order(_ files: [ExportedFile]) -> (String, Int64, Int64, UInt32, String) {
        let file = files[photos[0].file]
        return (photos[0].name, taken?.seconds ?? 0, file.size, file.crc32 ?? 0, file.path)
    }
}

/// Gives the photos of an export their places in the library: in the folders of their years, and in albums.
struct GroupPlacement {
    private let files: [ExportedFile]
    private let options: ForeignExportOptions
    private(set) var items: [ForeignItem] = []
    var findings = ForeignFindings()
    private var folders: LibraryFolders

    init(_ files: [ExportedFile], _ options: ForeignExportOptions) {
        (self.files, self.options) = (files, options)
        folders = LibraryFolders(options)
    }

    /// Gives a place to groups, in the order of `PhotoGroup.order`.
    mutating func place(_ group: inout PhotoGroup) {
        count(group)
        guard options.includesTrashed || !group.isTrashed else { return }
        guard let folder = folder(of: group), let paths = reserve(group, in: folder) else { return }
        group.items = items.count..<items.count + paths.count
        for (photo, path) in zip(group.photos, paths) {
            var item = ForeignItem(file: photo.file, path: path)
            (item.taken, item.location) = (photo.taken ?? group.taken, photo.location ?? group.location)
            (item.isFavorite, item.isHidden) = (group.isFavorite, group.isHidden)
            // The other files of a group share the description.
            if photo.file == group.photos[0].file, let file = photo.description,
                let sidecar = LibraryPath("\(path).json")
            {
                item.description = (file, sidecar)
            }
            items.append(item)
        }
    }

    private mutating func folder(of group: PhotoGroup) -> LibraryPath? {
        if let album = group.sharedAlbum {
            return folders.place(of: .other("Shared Albums"))?.appending(LibraryFolders.usable(album))
        }
        return folders.place(of: group.taken.map { .year(String($0.description.prefix(4))) } ?? .other("Undated"))
    }

    private mutating func reserve(_ group: PhotoGroup, in folder: LibraryPath) -> [LibraryPath]? {
        guard let paths = folders.reserve(group.names, of: group.photos.map(\.file), in: folder) else {
            findings.unusableNames += group.photos.map { files[$0.file].path }
            return nil
        }
        return paths
    }

    private mutating func count(_ group: PhotoGroup) {
        findings.trashed += group.isTrashed ? group.photos.count : 0
        findings.favorites += group.isFavorite ? 1 : 0
        findings.hidden += group.isHidden ? 1 : 0
        findings.livePhotos += group.isLivePhoto ? 1 : 0
    }

    /// Returns the folder of a further album.
    mutating func album(_ title: String) -> LibraryPath? { folders.place(of: .album(title)) }

    /// Adds a group to an album.
    mutating func add(_ group: PhotoGroup, to album: LibraryPath) {
        guard let range = group.items, let paths = reserve(group, in: album) else { return }
        for (index, path) in zip(range, paths) { items[index].alsoAt.append(path) }
        findings.albums[album.description, default: 0] += paths.count
    }
}
