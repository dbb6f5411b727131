import NIOCore
import PhotoCatalog

/// The reading of a Takeout: the photos and videos in its files, with their descriptions and places in the library.
///
///     Google Photos/2023/IMG_1.jpg                  a photo of the folder “Photos from 2023”
///     Google Photos/2023/IMG_1.jpg.json             its description
///     Google Photos/Albums/Summer in Rome/IMG_1.jpg the same content, if the album has it
///     Google Photos/Archive/IMG_2.jpg               a photo of another folder
package struct TakeoutExport: ForeignExport {
    package private(set) var items: [ForeignItem] = []
    package private(set) var findings = ForeignFindings()

    package static let descriptionLimit = TakeoutDescription.limit

    package static func read(_ bytes: ByteBuffer) -> TakeoutDescription? { TakeoutDescription.read(bytes) }

    package static func descriptionFiles(_ files: [ExportedFile]) -> [Int] {
        let tree = TakeoutTree(files)
        return tree.folders.values.flatMap(\.descriptions).sorted()
    }

    package init(_ files: [ExportedFile], _ descriptions: [Int: TakeoutDescription], _ options: ForeignExportOptions) {
        let tree = TakeoutTree(files)
        let described = tree.folders.filter { $0.value.descriptions.contains { descriptions[$0]?.photo != nil } }
        let photoFolders = tree.photoFolders(described: Set(described.keys))
        var builder = TakeoutBuilder(files, tree, descriptions, options)
        for folder in photoFolders.sorted() { builder.read(folder) }
        (items, findings) = builder.finished()
        let ours = photoFolders.reduce(0) { count, folder in
            count + (tree.folders[folder].map { $0.media.count + $0.descriptions.count } ?? 0)
        }
        findings.repeatedFiles = tree.repeated.count
        findings.otherFiles = files.count - ours - tree.repeated.count
    }

    package var isEmpty: Bool { findings.mediaFiles == 0 && findings.descriptions == 0 }

    package static func missingParts(_ paths: [String], _ files: [ExportedFile]) -> [String] {
        TakeoutParts.missing(in: paths)
    }
}

extension TakeoutDescription {
    var photo: Photo? { if case .photo(let photo) = self { photo } else { nil } }
}

/// Reads the folders of a Takeout one after the other.
struct TakeoutBuilder {
    let files: [ExportedFile]
    let tree: TakeoutTree
    let descriptions: [Int: TakeoutDescription]
    let options: ForeignExportOptions
    private var items: [ForeignItem] = []
    private var findings = ForeignFindings()
    private var paths: LibraryFolders
    /// The items of year folders by the identity of their descriptions; `nil` for several.
    private var byIdentity: [Identity: Int?] = [:]
    /// Descriptions in albums without their photo, with the place of the album.
    private var memberships: [(file: Int, place: LibraryPath)] = []

    /// What the descriptions of one photo in several folders have in common.
    private enum Identity: Hashable {
        case url(String)
        case facts(title: String, taken: Timestamp)

        init?(_ photo: TakeoutDescription.Photo) {
            if let url = photo.url, !url.isEmpty {
                self = .url(url)
            } else if let title = photo.title, !title.isEmpty, let taken = photo.taken {
                self = .facts(title: title, taken: taken)
            } else {
                return nil
            }
        }
    }

    init(
        _ files: [ExportedFile], _ tree: TakeoutTree, _ descriptions: [Int: TakeoutDescription],
        _ options: ForeignExportOptions
    ) {
        (self.files, self.tree, self.options) = (files, tree, options)
        self.descriptions = descriptions.mapValues { description in
            guard case .photo(var photo) = description else { return description }
            options.limit(&photo.taken, &photo.isDateUnreadable)
            return .photo(photo)
        }
        paths = LibraryFolders(options)
    }

    /// Reads one folder.
    mutating func read(_ path: String) {
        guard let folder = tree.folders[path] else { return }
        var photos: [(file: Int, photo: TakeoutDescription.Photo)] = []
        var album: String?
        for file in folder.descriptions {
            switch descriptions[file] {
            case .photo(let photo)?:
                photos.append((file, photo))
                if photo.isDateUnreadable { findings.unreadableDates.append(files[file].path) }
            case .album(let title)?:
                album = album ?? title
                findings.otherDescriptions += 1
            case .other?: findings.otherDescriptions += 1
            case nil: findings.unreadableDescriptions.append(files[file].path)
            }
        }
        findings.descriptions += photos.count
        findings.mediaFiles += folder.media.count
        let kind = FolderKind(path, album: album)
        guard let place = paths.place(of: kind) else {
            findings.unusableNames += folder.media.map { files[$0].path }
            return
        }
        // An album can have the name of the trash.
        let isTrash = album == nil && TakeoutFolderName.isTrash(ExportedName.last(of: path))
        let matcher = TakeoutMatcher(photos.map { (tree.names[$0.file], $0.photo.title) })
        let matches = matcher.matches(of: folder.media.map { tree.names[$0] })
        var found: [FoundPhoto] = []
        var used: Set<Int> = []
        for (file, match) in zip(folder.media, matches) {
            var photo = FoundPhoto(file: file, name: tree.names[file])
            if let match {
                used.formUnion(match.descriptions)
                if match.descriptions.count > 1 {
                    findings.ambiguous.append(files[file].path)
                    photo.isHidden = match.descriptions.contains { photos[$0].photo.isHidden }
                    photo.isInTrashFolder = match.descriptions.allSatisfy { photos[$0].photo.isTrashed }
                } else {
                    let description = photos[match.descriptions[0]]
                    photo.description = (description.file, description.photo, match.kind)
                }
            } else if isTrash {
                photo.isInTrashFolder = true
            } else {
                findings.withoutDescription.append(files[file].path)
                photo.isHidden = TakeoutFolderName.isHidden(ExportedName.last(of: path))
            }
            found.append(photo)
        }
        for (index, description) in photos.enumerated() where !used.contains(index) {
            if kind.isAlbum {
                memberships.append((description.file, place))
            } else {
                findings.withoutMedia.append(files[description.file].path)
            }
        }
        add(found, at: place, kind)
    }

    private mutating func add(_ found: [FoundPhoto], at place: LibraryPath, _ kind: FolderKind) {
        let kept = found.filter { photo in
            guard photo.isTrashed else { return true }
            findings.trashed += 1
            return options.includesTrashed
        }
        for group in FoundPhoto.groups(kept) {
            let names = group.names
            if group.isNameRestored { findings.restoredNames += group.photos.count }
            guard let paths = paths.reserve(names, of: group.photos.map(\.file), in: place) else {
                findings.unusableNames += group.photos.map { files[$0.file].path }
                continue
            }
            if group.isLivePhoto { findings.livePhotos += 1 }
            for (photo, path) in zip(group.photos, paths) { append(photo, at: path, kind) }
            if kind.isAlbum { findings.albums[place.description, default: 0] += group.photos.count }
        }
    }

    private mutating func append(_ found: FoundPhoto, at path: LibraryPath, _ kind: FolderKind) {
        var item = ForeignItem(file: found.file, path: path)
        item.isHidden = found.isHidden
        if let (file, photo, match) = found.description {
            (item.taken, item.location) = (photo.taken, photo.location)
            (item.isFavorite, item.isHidden) = (photo.isFavorite, photo.isHidden)
            // The video of a Live Photo shares the description beside the picture.
            if match != .companion, let sidecar = LibraryPath("\(path).json") { item.description = (file, sidecar) }
            if match == .edited { findings.editedVersions += 1 }
            count(photo)
            if !kind.isAlbum, match == .original, let identity = Identity(photo) {
                byIdentity.updateValue(byIdentity[identity] == nil ? items.count : nil, forKey: identity)
            }
        }
        items.append(item)
    }

    private mutating func count(_ photo: TakeoutDescription.Photo) {
        findings.favorites += photo.isFavorite ? 1 : 0
        findings.archived += photo.isArchived ? 1 : 0
        findings.locked += photo.isLocked ? 1 : 0
        findings.fromPartner += photo.isFromPartner ? 1 : 0
        findings.captions += photo.hasCaption ? 1 : 0
    }

    /// Gives copies without a description the facts of the photo with the same content.
    private mutating func describeCopies() {
        var known: [FileContent: ForeignItem] = [:]
        for item in items where item.description != nil {
            if let key = FileContent(files[item.file]) { known[key] = item }
        }
        var described: Set<String> = []
        for index in items.indices where items[index].description == nil && items[index].taken == nil {
            let file = files[items[index].file]
            guard let same = FileContent(file).flatMap({ known[$0] }) else { continue }
            (items[index].taken, items[index].location) = (same.taken, same.location)
            items[index].isFavorite = same.isFavorite
            items[index].isHidden = items[index].isHidden || same.isHidden
            described.insert(file.path)
        }
        findings.withoutDescription.removeAll(where: described.contains)
    }

    /// Completes copies, and adds the photos to albums that have only their descriptions.
    mutating func finished() -> ([ForeignItem], ForeignFindings) {
        describeCopies()
        for (file, place) in memberships {
            guard let photo = descriptions[file]?.photo, options.includesTrashed || !photo.isTrashed else { continue }
            guard let identity = Identity(photo), case let index?? = byIdentity[identity] else {
                findings.withoutMedia.append(files[file].path)
                continue
            }
            guard let path = paths.reserve([items[index].path.name], of: [items[index].file], in: place)?.first else {
                findings.unusableNames.append(files[file].path)
                continue
            }
            items[index].alsoAt.append(path)
            findings.albums[place.description, default: 0] += 1
        }
        return (items, findings)
    }
}
