import PhotoCatalog

/// The folders of a copy of iCloud Photos. The parts have folders with equal paths, which stay apart: a table describes the
/// photos of its own folder, and other parts have other photos with equal names.
struct ICloudTree {
    struct Folder {
        var media: [Int] = []
        /// What the folder's tables say, by file name.
        var photos: [String: [ICloudTable.Photo]] = [:]
    }

    /// A list of file names, such as an album.
    struct List {
        let file: Int
        let title: String
        let names: [String]
        let kind: ICloudTable.ListKind
    }

    private(set) var folders: [ExportedFolder: Folder] = [:]
    /// The names of the files in the normalization form in which names are compared.
    private(set) var names: [String]
    private(set) var lists: [List] = []
    private(set) var repeated: [Int] = []
    /// The names of those files, by folder.
    private(set) var repeatedNames: [ExportedFolder: Set<String>] = [:]
    private(set) var archives: [Int] = []
    /// Files with descriptions, of any kind.
    private(set) var descriptions: [Int] = []
    /// The paths of folders with the photos of a shared album.
    private var shared: Set<String> = []
    /// Folders below which all photos are of the copy.
    private var roots: Set<ExportedFolder> = []
    /// What tables say about photos in the trash, by file name.
    private var trashed: [String: [(photo: ICloudTable.Photo, folder: ExportedFolder)]] = [:]

    init(_ files: [ExportedFile], _ tables: [Int: ICloudTable]) {
        names = Array(repeating: "", count: files.count)
        var known = RepeatedFiles()
        for index in files.indices.sorted(by: { (files[$0].path, $0) < (files[$1].path, $1) }) {
            guard let (path, name) = ExportedName.location(of: files[index].path),
                !ExportedName.isOfSystem(name, in: path)
            else { continue }
            let key = ExportedFolder(container: files[index].container, path: path)
            // Equal tables in two parts describe different photos.
            let isTable = if case .photos? = tables[index]?.content { true } else { false }
            guard isTable || !known.isRepeated(files[index], at: "\(ExportedName.last(of: path))/\(name)") else {
                repeated.append(index)
                repeatedNames[key, default: []].insert(name)
                continue
            }
            names[index] = name
            add(index, name, to: key, tables[index])
        }
        lists.sort { ($0.title, files[$0.file].path, $0.file) < ($1.title, files[$1.file].path, $1.file) }
    }

    private mutating func add(_ index: Int, _ name: String, to key: ExportedFolder, _ table: ICloudTable?) {
        if Self.isTable(name) {
            descriptions.append(index)
            switch table?.content {
            case .photos(let photos)?:
                for photo in photos {
                    folders[key, default: Folder()].photos[photo.name, default: []].append(photo)
                    if photo.isTrashed { trashed[photo.name, default: []].append((photo, key)) }
                }
                roots.insert(key.parent ?? key)
            case .names(let names, let kind)?:
                lists.append(List(file: index, title: ExportedName.split(name).stem, names: names, kind: kind))
            case .other?, nil: break
            }
        } else if name.lowercased() == "albuminfo.json" {
            descriptions.append(index)
            shared.insert(key.path)
        } else if name.lowercased().hasSuffix(".zip") {
            archives.append(index)
        } else {
            folders[key, default: Folder()].media.append(index)
        }
    }

    static func isTable(_ name: String) -> Bool { name.lowercased().hasSuffix(".csv") }

    /// Whether there is a table of photos or a shared album.
    var isEmpty: Bool { shared.isEmpty && folders.values.allSatisfy(\.photos.isEmpty) }

    func isShared(_ key: ExportedFolder) -> Bool { shared.contains(key.path) }

    /// Apple does not translate the names of these folders.
    static func isTrash(_ key: ExportedFolder) -> Bool {
        ExportedName.last(of: key.path).lowercased() == "recently deleted"
    }

    /// Returns whether the files of a folder are photos of iCloud.
    func isOfPhotos(_ key: ExportedFolder) -> Bool {
        if isShared(key) || Self.isTrash(key) || ExportedName.last(of: key.path).lowercased() == "photos" {
            return true
        }
        return sequence(first: key, next: \.parent).contains(where: roots.contains)
    }

    /// Returns whether a table has a row of this name.
    func hasRow(_ name: String, in key: ExportedFolder) -> Bool {
        [key, key.parent].compactMap(\.self).contains { folders[$0]?.photos[name] != nil }
    }

    /// What tables say about a file, and the folder of the tables.
    typealias Facts = (photos: [ICloudTable.Photo], folder: ExportedFolder)

    /// - Parameter isEmpty: Returns whether the folder has a file of a name without content; `nil` if it has none.
    func facts(of index: Int, in key: ExportedFolder, isEmpty: (String) -> Bool?) -> Facts? {
        let name = names[index]
        for folder in [key, key.parent].compactMap(\.self) {
            guard let tables = folders[folder]?.photos else { continue }
            if let photos = tables[name] { return (photos, folder) }
            // Of several photos with one name in a part, all but one have a number, in an unknown order. Some have an
            // empty file under their name, and their content in the numbered one.
            guard let plain = Self.withoutNumber(name), let photos = tables[plain] else { continue }
            if photos.count > 1 || isEmpty(plain) ?? true { return (photos, folder) }
        }
        // Tables can be those of the folder from which the photo was deleted.
        guard Self.isTrash(key), let found = trashed[name], found.count == 1 else { return nil }
        return ([found[0].photo], found[0].folder)
    }

    /// Returns a name without the `-1` or `(1)` that is added to repeated names.
    static func withoutNumber(_ name: String) -> String? {
        let (stem, ending) = ExportedName.split(name)
        var rest = stem[...]
        let isBracketed = rest.hasSuffix(")")
        if isBracketed { rest.removeLast() }
        let digits = rest.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard (1...3).contains(digits) else { return nil }
        rest.removeLast(digits)
        guard rest.popLast() == (isBracketed ? "(" : "-") else { return nil }
        if isBracketed, rest.last == " " { rest.removeLast() }
        return rest.isEmpty ? nil : rest + ending
    }
}
