import NIOCore
import PhotoCatalog

/// The reading of an export of Ente.
///
///     Ente/2023/IMG_1.jpg                  a photo, once, in however many albums it is
///     Ente/2023/IMG_1.jpg.json             its description
///     Ente/Albums/Summer in Rome/IMG_1.jpg the same content, in each of its albums
package struct EnteExport: ForeignExport {
    package let items: [ForeignItem]
    package private(set) var findings: ForeignFindings
    package let isEmpty: Bool

    package static let descriptionLimit = EnteDescription.limit

    package static func descriptionFiles(_ files: [ExportedFile]) -> [Int] {
        files.indices.filter { EnteTree.isDescription(files[$0].path) || EnteTree.isRecord(files[$0].path) }
    }

    package static func read(_ bytes: ByteBuffer) -> EnteDescription? { EnteDescription.read(bytes) }

    /// An export has no parts.
    package static func missingParts(_ paths: [String], _ files: [ExportedFile]) -> [String] { [] }

    package init(
        _ files: [ExportedFile], _ descriptions: [Int: EnteDescription], _ options: ForeignExportOptions
    ) {
        let tree = EnteTree(files)
        var builder = EnteBuilder(files, tree, descriptions, options)
        for folder in tree.albums.keys.sorted() { builder.read(folder) }
        builder.place()
        (items, findings) = (builder.placement.items, builder.placement.findings)
        isEmpty = findings.descriptions == 0
        let ours = tree.albums.values.reduce(0) { $0 + $1.media.count + $1.descriptions.count }
        findings.repeatedFiles = tree.repeated.count
        findings.otherDescriptions += tree.records.count
        findings.otherFiles = files.count - ours - tree.records.count - tree.repeated.count
    }
}

/// Collects the photos of all albums, gives them places, and then adds them to the albums.
private struct EnteBuilder {
    let files: [ExportedFile]
    let tree: EnteTree
    let descriptions: [Int: EnteDescription]
    var placement: GroupPlacement
    private var groups: [PhotoGroup] = []
    private var known: [Identity: Int] = [:]
    private var albums: [ExportedFolder: (title: String, groups: [Int])] = [:]

    /// What the copies of a photo in several albums have in common. Files with equal names and dates can be different
    /// photos, and are not compared.
    private enum Identity: Hashable {
        /// Other servers give the same numbers.
        case number(Int, sizes: [Int64], root: ExportedFolder?)
        case contents([FileContent])
    }

    /// The names that Ente gives to albums of its own, in every language.
    private let options: ForeignExportOptions
    private static let (favorites, hidden, uncategorized) = ("Favorites", ".hidden", "Uncategorized")

    init(
        _ files: [ExportedFile], _ tree: EnteTree, _ descriptions: [Int: EnteDescription],
        _ options: ForeignExportOptions
    ) {
        (self.files, self.tree, self.descriptions, self.options) = (files, tree, descriptions, options)
        placement = GroupPlacement(files, options)
    }

    mutating func read(_ folder: ExportedFolder) {
        guard let album = tree.albums[folder] else { return }
        placement.findings.mediaFiles += album.media.count
        let title = tree.album(around: folder).map(title)
        var described: [String: (file: Int, photo: EnteDescription.Photo)] = [:]
        let names = Set(album.media.map { tree.names[$0] })
        for file in album.descriptions {
            switch descriptions[file] {
            case .photo(var photo)?:
                options.limit(&photo.taken, &photo.isDateUnreadable)
                placement.findings.descriptions += 1
                placement.findings.captions += photo.hasCaption ? 1 : 0
                if photo.isDateUnreadable { placement.findings.unreadableDates.append(files[file].path) }
                let own = photo.fileNames.isEmpty ? [String(tree.names[file].dropLast(".json".count))] : photo.fileNames
                let found = own.map(ExportedName.normalized).filter(names.contains)
                if found.isEmpty { placement.findings.withoutMedia.append(files[file].path) }
                for name in found { described[name] = (file, photo) }
            case .album?, .record?, .other?: placement.findings.otherDescriptions += 1
            case nil: placement.findings.unreadableDescriptions.append(files[file].path)
            }
        }
        var (photos, numbers) = ([GroupedPhoto](), [Int: Int]())
        for file in album.media {
            let name = tree.names[file]
            var photo = GroupedPhoto(file: file, name: name)
            if let (description, facts) = described[name] {
                (photo.taken, photo.location, photo.description) = (facts.taken, facts.location, description)
            } else {
                placement.findings.withoutDescription.append(files[file].path)
            }
            photo.isFavorite = title == Self.favorites
            photo.isHidden = title == Self.hidden
            photo.isTrashed = album.isTrash
            numbers[file] = described[name]?.photo.id ?? number(of: name, in: folder)
            photos.append(photo)
        }
        rejoin(&photos, numbers)
        add(PhotoGroup.groups(photos), numbers, title, in: folder, isTrash: album.isTrash)
    }

    /// Returns the name of an album, which can have characters that the name of its folder lacks.
    private func title(of album: ExportedFolder) -> String {
        let names = tree.albums[album]?.descriptions.compactMap { file in
            if case .album(let name)? = descriptions[file] { name } else { nil }
        }
        return names?.last ?? ExportedName.last(of: album.path)
    }

    /// Returns the number of a photo in the record of its export.
    private func number(of name: String, in folder: ExportedFolder) -> Int? {
        guard let root = folder.parent, let record = tree.records[root],
            case .record(let record)? = descriptions[record]
        else { return nil }
        return record.ids["\(ExportedName.last(of: folder.path))/\(name)"]
    }

    /// Gives the two files of a Live Photo one stem: in an export each gets a number of its own if its name is taken.
    private func rejoin(_ photos: inout [GroupedPhoto], _ numbers: [Int: Int]) {
        var pictures: [Int: String] = [:]
        for photo in photos where photo.isPicture {
            if let number = numbers[photo.file] { pictures[number] = photo.stem }
        }
        for index in photos.indices where photos[index].isVideo {
            guard let stem = numbers[photos[index].file].flatMap({ pictures[$0] }) else { continue }
            photos[index].name = stem + ExportedName.split(photos[index].name).ending
        }
    }

    private mutating func add(
        _ found: [PhotoGroup], _ numbers: [Int: Int], _ title: String?, in folder: ExportedFolder, isTrash: Bool
    ) {
        var members: [Int] = []
        for group in found {
            let identity = identity(of: group, numbers, in: folder)
            if let index = identity.flatMap({ known[$0] }) {
                groups[index].join(group)
                members.append(index)
            } else {
                if let identity { known[identity] = groups.count }
                members.append(groups.count)
                groups.append(group)
            }
        }
        guard let title, let album = tree.album(around: folder), !isTrash, title != Self.hidden,
            title != Self.uncategorized
        else { return }
        albums[album, default: (title, [])].groups += members
    }

    private func identity(of group: PhotoGroup, _ numbers: [Int: Int], in folder: ExportedFolder) -> Identity? {
        let ours = group.photos.map { files[$0.file] }
        let ids = Set(group.photos.map { numbers[$0.file] })
        if ids.count == 1, case let id?? = ids.first {
            return .number(id, sizes: ours.map(\.size), root: tree.root(of: folder))
        }
        let contents = ours.compactMap(FileContent.init)
        return contents.count == ours.count ? .contents(contents) : nil
    }

    /// Gives places to all groups. Their order is the same for the same files, given in any order.
    mutating func place() {
        for index in groups.indices.sorted(by: { groups[$0].order(files) < groups[$1].order(files) }) {
            placement.place(&groups[index])
        }
        for (_, found) in albums.sorted(by: { ($0.value.title, $0.key) < ($1.value.title, $1.key) }) {
            guard let album = placement.album(found.title) else { continue }
            var added: Set<Int> = []
            for index in found.groups where added.insert(index).inserted {
                placement.add(groups[index], to: album)
            }
        }
    }
}

extension PhotoGroup {
    /// Takes over what a copy in another album says.
    fileprivate mutating func join(_ other: PhotoGroup) {
        for index in photos.indices {
            photos[index].isFavorite = isFavorite || other.isFavorite
            photos[index].isHidden = isHidden && other.isHidden
            photos[index].isTrashed = isTrashed && other.isTrashed
            guard other.photos.indices.contains(index), photos[index].description == nil else { continue }
            photos[index].taken = other.photos[index].taken
            photos[index].location = other.photos[index].location
            photos[index].description = other.photos[index].description
        }
    }
}
