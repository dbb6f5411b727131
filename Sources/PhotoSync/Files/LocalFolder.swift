import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A local folder by its resolved path, without symbolic links. Blocks.
enum LocalFolder {
    static func resolve(_ path: String) throws(FileError) -> String {
        guard let real = realpath(path, nil) else { throw .last }
        defer { free(real) }
        var status = stat()
        guard stat(real, &status) == 0 else { throw .last }
        guard status.isFolder else { throw .wrongKind }
        guard let text = String(validatingCString: real), LocalName.isPlain(text) else { throw .unsupported }
        return text == "/" ? "" : text
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
