import PhotoCatalog

/// The files of all parts of a Takeout as one tree: a photo and its description can be in different parts.
struct TakeoutTree {
    /// One folder.
    struct Folder {
        var media: [Int] = []
        var descriptions: [Int] = []
    }

    /// The folders by their path below `Takeout`, in the normalization form in which names are compared.
    private(set) var folders: [String: Folder] = [:]
    /// The names of the files; empty for those that are left out.
    private(set) var names: [String]
    /// Files that another part has too.
    private(set) var repeated: [Int] = []

    init(_ files: [ExportedFile]) {
        names = Array(repeating: "", count: files.count)
        var known = RepeatedFiles()
        let order = files.indices.sorted { (files[$0].path, $0) < (files[$1].path, $1) }
        for index in order {
            guard let (folder, name) = Self.location(of: files[index].path),
                !ExportedName.isOfSystem(name, in: folder)
            else { continue }
            guard !known.isRepeated(files[index], at: "\(folder)/\(name)") else {
                repeated.append(index)
                continue
            }
            names[index] = name
            if Self.isDescription(name) {
                folders[folder, default: Folder()].descriptions.append(index)
            } else {
                folders[folder, default: Folder()].media.append(index)
            }
        }
    }

    static func isDescription(_ name: String) -> Bool { name.lowercased().hasSuffix(".json") }

    /// Returns the folder below `Takeout` and the name; `nil` for a folder.
    private static func location(of path: String) -> (folder: String, name: String)? {
        guard let (folder, name) = ExportedName.location(of: path) else { return nil }
        var parts = folder.split(separator: "/").map(String.init)
        if let start = parts.lastIndex(where: { $0.lowercased() == "takeout" }) { parts.removeSubrange(...start) }
        let trimmed = parts.map { part in
            let trimmed = part.reversed().drop { $0 == " " }.reversed()
            return trimmed.isEmpty ? part : String(trimmed)
        }
        return (trimmed.joined(separator: "/"), name)
    }

    /// Returns the folders of Google Photos, given which ones have the description of a photo. The names of services
    /// depend on the language; those of others have no such descriptions.
    func photoFolders(described: Set<String>) -> Set<String> {
        let years = folders.keys.filter { TakeoutFolderName.year($0) != nil && !(folders[$0]?.media.isEmpty ?? true) }
        let roots = Set((described.isEmpty ? years : Array(described)).map { ExportedName.parent(of: $0) ?? "" })
        return Set(
            folders.keys.filter { folder in
                var current: String? = folder
                while let path = current {
                    if roots.contains(path) { return true }
                    current = ExportedName.parent(of: path)
                }
                return false
            })
    }
}

/// The names of folders in a Takeout.
enum TakeoutFolderName {
    /// Returns the year of a folder such as `Photos from 2023` or, in exports until 2020, `2023-07-01`.
    static func year(_ folder: String) -> String? {
        let name = ExportedName.last(of: folder)
        let words = name.split(separator: " ")
        if words.count > 1, let last = words.last, isYear(last), !(name.first?.isNumber ?? true) { return String(last) }
        let rest = String(name.dropFirst(4).drop { $0.isWhitespace })
        if isYear(name.prefix(4)), yearFirst.contains(rest) { return String(name.prefix(4)) }
        return isDate(name) ? String(name.prefix(4)) : nil
    }

    /// What follows the year where it comes first.
    private static let yearFirst: Set<String> = ["년의 사진", "年の写真", "年的照片", "年的相片"]

    /// Returns whether a name is that of a day.
    static func isDate(_ name: String) -> Bool {
        let day = name.prefix { $0 != " " }.split(separator: "-", omittingEmptySubsequences: false)
        return day.count == 3 && isYear(day[0]) && day.dropFirst().allSatisfy { $0.count == 2 && isDigits($0) }
    }

    private static func isYear(_ text: Substring) -> Bool {
        text.count == 4 && isDigits(text) && ("1800"..."2199").contains(text)
    }

    private static func isDigits(_ text: Substring) -> Bool { text.allSatisfy { $0.isASCII && $0.isNumber } }

    /// Folders that are no albums: the trash, the archive, the locked folder and videos that were not processed.
    static func isSpecial(_ name: String) -> Bool {
        isTrash(name) || isHidden(name) || name.lowercased() == failedVideos
    }

    private static let failedVideos = "failed videos"

    static func isTrash(_ name: String) -> Bool { trash.contains(name.lowercased()) }

    private static let trash: Set<String> = [
        "trash", "bin", "papierkorb", "corbeille", "papelera", "lixeira", "cestino", "prullenbak", "корзина", "kosz",
        "回收站", "ゴミ箱", "paperera", "휴지통", "垃圾桶", "回收桶", "papperskorgen", "papirkurv", "roskakori", "koš", "kôš",
        "çöp kutusu", "кошик", "thùng rác",
    ]

    /// The archive and the locked folder.
    static func isHidden(_ name: String) -> Bool { hidden.contains(name.lowercased()) }

    private static let hidden: Set<String> = [
        "archive", "archiv", "archivo", "arquivo", "archivio", "archief", "архив", "archiwum", "档案", "アーカイブ", "arxiu",
        "locked folder", "carpeta privada",
    ]
}
