import Foundation
import PhotoCatalog

/// The names in the folders of a library that an import has given away. Names that differ only in case or
/// normalization are one name on other systems.
struct LibraryFolders {
    private let destination: LibraryPath
    private let isTaken: (LibraryPath, Int) -> Bool
    private var names: Set<String> = []
    /// The first number of a repeated name that no photo of the import has. The library may have it.
    private var numbers: [String: Int] = [:]
    /// What precedes the extension in those names.
    private var stems: Set<String> = []
    /// Albums with one title are different albums.
    private var albums: Set<String> = []

    init(_ options: ForeignExportOptions) { (destination, isTaken) = (options.destination, options.isTaken) }

    private static let longestName = 200
    private static let mostNumbers = 1_000_000

    /// Returns the folder for the photos of one folder or album of an export; `nil` if it would not be a valid path. Each
    /// call for an album is another album.
    mutating func place(of kind: FolderKind) -> LibraryPath? {
        switch kind {
        case .year(let year): return destination.appending(year)
        case .other(let name): return name.isEmpty ? destination : destination.appending(Self.usable(name))
        case .album(let title):
            let name = Self.usable(title)
            for number in 1...Self.mostNumbers {
                let numbered = number == 1 ? name : "\(name) (\(number))"
                guard albums.insert(numbered.lowercased()).inserted else { continue }
                return destination.appending("Albums")?.appending(numbered)
            }
            return nil
        }
    }

    /// Reserves names with one stem in a folder. If one is taken, here or in the library, all get the same number. No
    /// other names have the stem: a library shows the files of a stem as one photo.
    /// - Parameter files: The indices of the files that get the names.
    /// - Returns: Their paths; `nil` if one would not be valid.
    mutating func reserve(_ names: [String], of files: [Int], in folder: LibraryPath) -> [LibraryPath]? {
        let usable = names.map(Self.usable)
        let first = "\(folder)/\(usable.first ?? "")".lowercased()
        for number in numbers[first, default: 1]...Self.mostNumbers {
            let paths = usable.compactMap { Self.path($0, number, in: folder) }
            guard paths.count == names.count else { return nil }
            let keys = paths.map { $0.description.lowercased() }
            guard Set(keys).count == keys.count, !keys.contains(where: self.names.contains) else { continue }
            let stems = keys.map { ExportedName.split($0).stem }
            guard !stems.contains(where: self.stems.contains), !zip(paths, files).contains(where: isTaken) else {
                continue
            }
            self.names.formUnion(keys)
            self.stems.formUnion(stems)
            var next = numbers[first, default: 1]
            while let name = usable.first, let path = Self.path(name, next, in: folder),
                self.names.contains(path.description.lowercased())
            { next += 1 }
            numbers[first] = next
            return paths
        }
        return nil
    }

    private static func path(_ name: String, _ number: Int, in folder: LibraryPath) -> LibraryPath? {
        let path = folder.appending(name)
        return number == 1 ? path : path?.withRemark("\(number)")
    }

    /// Returns a text as the name of a file or folder.
    static func usable(_ text: String) -> String {
        var name = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 32 || $0.value == 127 || $0 == "/" || $0 == "\\" ? "_" : $0 }))
        name = name.trimmingCharacters(in: .whitespaces)
        if name.isEmpty || name == "." || name == ".." { name = "_" }
        guard name.utf8.count > longestName else { return name }
        let (stem, ending) = ExportedName.split(name)
        var short = stem
        while short.utf8.count + ending.utf8.count > longestName, !short.isEmpty { short.removeLast() }
        return short + ending
    }
}

/// What a folder or album of an export is.
enum FolderKind {
    case year(String)
    /// An album, with its title.
    case album(String)
    /// Something else, with its name.
    case other(String)

    var isAlbum: Bool { if case .album = self { true } else { false } }
}
