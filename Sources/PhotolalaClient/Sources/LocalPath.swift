import Foundation
import PhotoCatalog
import PhotoSync

/// Paths of this device as they are written in messages and in libraries: a name that is not UTF-8 is encoded.
package enum LocalPath {
    package enum Kind: Sendable {
        case folder
        case file
    }

    /// Returns the text of a path; `nil` if one of its names is UTF-8 and the encoding of another name.
    package static func text(of bytes: [UInt8]) -> String? { LocalName.path(of: bytes) }

    /// Returns what is at a path, following links; `nil` if nothing is.
    package static func kind(of path: String) -> Kind? {
        LocalFolder.isFolder(path).map { $0 ? .folder : .file }
    }

    /// Returns the path of a folder without links; `nil` for what is not a folder.
    package static func resolved(_ path: String) -> String? {
        (try? LocalFolder.resolve(path)).map { $0.isEmpty ? "/" : $0 }
    }

    /// Returns the path of a folder, or of a file in a folder, without links; `nil` for a file that is a link, and for what
    /// does not exist.
    package static func location(of path: String) -> (path: String, kind: Kind)? {
        guard let kind = kind(of: path) else { return nil }
        if kind == .folder { return resolved(path).map { ($0, .folder) } }
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil else { return nil }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        return (try? LocalFolder.resolve(folder)).map { ("\($0)/\(name)", .file) }
    }

    /// Returns whether a backup of a folder with these patterns includes what is at a location in it.
    /// - Parameters:
    ///   - location: As of `location(of:)`.
    ///   - folder: As of `resolved(_:)`.
    package static func isIncluded(
        _ location: (path: String, kind: Kind), in folder: String, patterns: FolderPatterns
    ) -> Bool {
        let root = folder == "/" ? "" : folder
        guard location.path.hasPrefix("\(root)/"), let inside = LibraryPath(location.path.dropFirst(root.count + 1))
        else { return false }
        return FolderScan.reaches(inside, isFolder: location.kind == .folder, in: root, filter: patterns.filter)
    }

    /// Returns the innermost folder around a folder that is synced, and the path of the other one in it; `nil` if there is
    /// none, and for a folder that is synced itself.
    package static func syncedFolder(around path: String) -> (folder: String, rest: String)? {
        LocalFolder.syncedFolder(around: path)
    }

    /// Returns the name of a folder, also for `.` and through links; `nil` for the root of the file system and for what
    /// is not a folder.
    package static func folderName(_ path: String) -> String? {
        resolved(path)?.split(separator: "/").last.map(String.init)
    }
}
