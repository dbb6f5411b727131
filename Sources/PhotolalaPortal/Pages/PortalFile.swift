import CEmbeddedFiles

/// A file of one of this module's folders, which `CEmbeddedFiles` compiles into the program.
struct PortalFile: Sendable {
    /// The folders, in which all files are compiled.
    enum Folder: String, CaseIterable {
        case brand = "Brand"
        case icons = "Icons"
        case maps = "Maps"
        case scripts = "Scripts"
        case styles = "Styles"
        case templates = "Templates"
    }

    /// `Sources/CEmbeddedFiles/portal.c` does not list a file.
    struct NotCompiled: Error, Equatable {
        let path: String
    }

    /// All files, as `Sources/CEmbeddedFiles/portal.c` lists them.
    static let all: [PortalFile] = {
        var files: [PortalFile] = []
        while true {
            let file = photolala_portal_file_at(files.count)
            guard let path = file.path else { return files }
            let bytes = UnsafeBufferPointer(start: file.bytes, count: file.size)
            files.append(PortalFile(path: String(cString: path), bytes: Array(bytes)))
        }
    }()

    private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

    /// The path in the module, such as `Scripts/grid.js`.
    let path: String
    let bytes: [UInt8]

    /// The name with its extension.
    var name: String { String(path.drop { $0 != "/" }.dropFirst()) }

    /// The name without its extension.
    var title: String { String(name.prefix { $0 != "." }) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the files of a folder in the order of the list.
    static func files(in folder: Folder) -> [PortalFile] { all.filter { $0.path.hasPrefix("\(folder.rawValue)/") } }

    /// Returns one file.
    static func file(_ folder: Folder, _ name: String) throws(NotCompiled) -> PortalFile {
        let path = "\(folder.rawValue)/\(name)"
        guard let file = byPath[path] else { throw NotCompiled(path: path) }
        return file
    }
}
