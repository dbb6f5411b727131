import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A local folder by its resolved path, without symbolic links. Blocks.
package enum LocalFolder {
    /// - Returns: The path, in which names that are not UTF-8 are encoded; empty for the file system's root.
    /// - Throws: `unsupported` if a name in the path is UTF-8 and the encoding of another one.
    package static func resolve(_ path: String) throws(FileError) -> String {
        guard let real = LocalName.withPath(path, { realpath($0, nil) }) else { throw .last }
        defer { free(real) }
        var status = stat()
        guard stat(real, &status) == 0 else { throw .last }
        guard status.isFolder else { throw .wrongKind }
        let bytes = UnsafeBufferPointer(start: real, count: strlen(real)).map(UInt8.init(bitPattern:))
        guard let text = LocalName.path(of: bytes) else { throw .unsupported }
        return text == "/" ? "" : text
    }

    /// Returns whether there is a folder at a path, following links; `nil` if there is nothing.
    package static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        return LocalName.withPath(path) { stat($0, &status) } == 0 ? status.isFolder : nil
    }

    /// Returns what is at a path that is neither a file nor a folder; `nil` for those, for nothing, and for a link that leads
    /// nowhere.
    package static func otherKind(_ path: String) -> LeftOutFile.Reason? {
        var status = stat()
        guard let isFolder = isFolder(path), LocalName.withPath(path, { lstat($0, &status) }) == 0 else { return nil }
        if status.isLink { return .link }
        return isFolder || status.isRegularFile ? nil : .special
    }

    /// Returns the innermost folder around a folder that is synced, and the path of the other one in it; `nil` if there is
    /// none, and for a folder that is synced itself.
    package static func syncedFolder(around path: String) -> (folder: String, rest: String)? {
        guard let root = try? resolve(path), let synced = FolderMarker.syncedFolder(above: "\(root)/"), synced != root
        else { return nil }
        return (synced, String(root.dropFirst(synced == "/" ? 1 : synced.count + 1)))
    }

    /// Creates a folder and its missing parents, accessible only to this user.
    static func create(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
            throw .last
        }
        try create(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }
}
