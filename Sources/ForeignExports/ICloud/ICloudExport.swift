import NIOCore
import PhotoCatalog

/// The reading of a copy of iCloud Photos, as privacy.apple.com makes it.
///
///     iCloud Photos/2023/IMG_1.HEIC                   a photo that Apple's table dates in 2023
///     iCloud Photos/Undated/IMG_2.HEIC                one without a date in a table
///     iCloud Photos/Albums/Summer in Rome/IMG_1.HEIC  the same content, if the album has it
///     iCloud Photos/Shared Albums/Family/IMG_3.JPG    a photo of a shared album
package struct ICloudExport: ForeignExport {
    package private(set) var items: [ForeignItem] = []
    package private(set) var findings = ForeignFindings()
    package let isEmpty: Bool

    package static let descriptionLimit = ICloudTable.limit

    package static func descriptionFiles(_ files: [ExportedFile]) -> [Int] {
        files.indices.filter { ICloudTree.isTable(files[$0].path) }
    }

    package static func read(_ bytes: ByteBuffer) -> ICloudTable? { ICloudTable(bytes) }

    package static func missingParts(_ paths: [String], _ files: [ExportedFile]) -> [String] {
        ICloudParts.missing(in: paths, files)
    }

    package init(_ files: [ExportedFile], _ tables: [Int: ICloudTable], _ options: ForeignExportOptions) {
        let tree = ICloudTree(files, tables)
        isEmpty = tree.isEmpty
        guard !isEmpty else { return }
        var builder = ICloudBuilder(files, tree, options)
        for key in tree.folders.keys.sorted() where tree.isOfPhotos(key) { builder.read(key) }
        builder.place()
        for list in tree.lists { builder.read(list) }
        (items, findings) = (builder.placement.items, builder.placement.findings)
        for file in tree.descriptions where ICloudTree.isTable(files[file].path) {
            let table = tables[file]
            if table?.isDamaged ?? true { findings.unreadableDescriptions.append(files[file].path) }
            guard let photos = table?.photos else { continue }
            findings.descriptions += photos.count
            findings.unreadableDates += photos.filter(\.isDateUnreadable).map { "\(files[file].path): \($0.name)" }
        }
        let others = tree.descriptions.count { file in
            ICloudTree.isTable(files[file].path) ? tables[file].map { $0.photos == nil } ?? false : true
        }
        findings.otherDescriptions = others - findings.memories
        findings.repeatedFiles = tree.repeated.count
        findings.unopenedArchives = tree.archives.map { files[$0].path }
        findings.otherFiles =
            files.count - findings.mediaFiles - tree.descriptions.count - tree.repeated.count - tree.archives.count
    }
}

extension ICloudTable {
    fileprivate var photos: [Photo]? { if case .photos(let photos) = content { photos } else { nil } }
}

/// Collects the photos of all folders, gives them places, and then adds them to albums.
private struct ICloudBuilder {
    let files: [ExportedFile]
    let tree: ICloudTree
    var placement: GroupPlacement
    private var groups: [PhotoGroup] = []
    /// The groups of photos by their names in the tables.
    private var byName: [String: [Int]] = [:]
    private var albums: [String: LibraryPath] = [:]
    /// The names in tables that a file has.
    private var described: [ExportedFolder: Set<String>] = [:]

    init(_ files: [ExportedFile], _ tree: ICloudTree, _ options: ForeignExportOptions) {
        (self.files, self.tree, placement) = (files, tree, GroupPlacement(files, options))
    }

    mutating func read(_ key: ExportedFolder) {
        guard let folder = tree.folders[key] else { return }
        placement.findings.mediaFiles += folder.media.count
        let sizes = Dictionary(
            folder.media.map { (tree.names[$0], files[$0].size) }, uniquingKeysWith: { max($0, $1) })
        // A photo with a row of its own does not have the content of an empty file.
        let numbered = sizes.keys.filter { (sizes[$0] ?? 0) > 0 && !tree.hasRow($0, in: key) }
        let filled = Set(numbered.compactMap(ICloudTree.withoutNumber))
        let isShared = tree.isShared(key)
        var photos: [GroupedPhoto] = []
        for file in folder.media {
            let name = tree.names[file]
            let facts = tree.facts(of: file, in: key) { sizes[$0].map { $0 == 0 } }
            if let facts { described[facts.folder, default: []].formUnion(facts.photos.map(\.name)) }
            if files[file].size == 0, filled.contains(name) {
                placement.findings.emptyFiles += 1
                continue
            }
            let rows = facts?.photos ?? []
            // The numbered file has the content of an empty one.
            let title = rows.count == 1 && sizes[rows[0].name] ?? 0 == 0 ? rows[0].name : name
            let photo = GroupedPhoto(file: file, name: title, rows, isInTrash: ICloudTree.isTrash(key))
            if !isShared, !photo.isSidecar { check(rows, of: file) }
            photos.append(photo)
        }
        if isShared { placement.findings.sharedAlbumPhotos += photos.count }
        groups += PhotoGroup.groups(photos, sharedAlbum: isShared ? ExportedName.last(of: key.path) : nil)
    }

    private mutating func check(_ facts: [ICloudTable.Photo], of file: Int) {
        if facts.isEmpty { placement.findings.withoutDescription.append(files[file].path) }
        if facts.dropFirst().contains(where: { $0 != facts[0] }) {
            placement.findings.ambiguous.append(files[file].path)
        }
    }

    /// Gives places to all groups. Their order is the same for the same files, given in any order.
    mutating func place() {
        for (key, folder) in tree.folders {
            let missing = folder.photos.keys.filter { name in
                described[key]?.contains(name) != true && tree.repeatedNames[key]?.contains(name) != true
            }
            let prefix = key.path.isEmpty ? "" : "\(key.path)/"
            placement.findings.withoutMedia += missing.map { "\(prefix)\($0)" }
        }
        groups.sort { $0.order(files) < $1.order(files) }
        for index in groups.indices {
            placement.place(&groups[index])
            guard groups[index].sharedAlbum == nil else { continue }
            for name in Set(groups[index].photos.map(\.listedName)) { byName[name, default: []].append(index) }
        }
    }

    /// Adds photos to an album. A name that several photos have is in none.
    mutating func read(_ list: ICloudTree.List) {
        guard list.kind != .memory else {
            placement.findings.memories += 1
            return
        }
        var (found, unresolved) = ([Int](), [String]())
        var (seen, added) = (Set<String>(), Set<Int>())
        for name in list.names where seen.insert(name).inserted {
            if let candidates = byName[name], let group = only(candidates) {
                if added.insert(group).inserted { found.append(group) }
            } else {
                unresolved.append("\(files[list.file].path): \(name)")
            }
        }
        // The tables already say which photos are favorites and hidden.
        let isKnown = found.allSatisfy { groups[$0].isFavorite } || found.allSatisfy { groups[$0].isHidden }
        if list.kind == .marked, isKnown, !found.isEmpty { return }
        placement.findings.unresolvedAlbumPhotos += unresolved
        if albums[list.title] == nil { albums[list.title] = placement.album(list.title) }
        guard let album = albums[list.title] else { return }
        for group in found { placement.add(groups[group], to: album) }
    }

    /// Returns the group of a name if there is one, or if all have the same content.
    private func only(_ candidates: [Int]) -> Int? {
        guard candidates.count > 1 else { return candidates.first }
        let contents = candidates.map { groups[$0].photos.map { FileContent(files[$0.file]) } }
        return contents.allSatisfy { $0 == contents[0] && !$0.contains(nil) } ? candidates[0] : nil
    }
}

extension GroupedPhoto {
    /// - Parameter facts: The possible descriptions, of which only what they have in common is used.
    fileprivate init(file: Int, name: String, _ facts: [ICloudTable.Photo], isInTrash: Bool) {
        self.init(file: file, name: name)
        listedName = facts.first?.name ?? name
        if let first = facts.first, facts.allSatisfy({ $0.taken == first.taken }) { taken = first.taken }
        isFavorite = !facts.isEmpty && facts.allSatisfy(\.isFavorite)
        // Hidden in doubt: the photo is private, and can be shown again.
        isHidden = facts.contains(where: \.isHidden)
        isTrashed = isInTrash || !facts.isEmpty && facts.allSatisfy(\.isTrashed)
    }
}
