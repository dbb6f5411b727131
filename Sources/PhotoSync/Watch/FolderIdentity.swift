import PhotoCatalog

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The identity of the folder at a path.
struct FolderIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init(_ path: String) throws(FileError) {
        var status = stat()
        guard LocalName.withPath(path, { stat($0, &status) }) == 0 else { throw .last }
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }

    /// Returns whether a path, which may contain links, refers to this folder now.
    func isCurrent(_ folder: String) -> Bool {
        guard let resolved = try? LocalFolder.resolve(folder) else { return false }
        return (try? FolderIdentity(resolved.isEmpty ? "/" : resolved)) == self
    }
}

extension FolderSignal {
    /// Returns whether a change of the file or folder at a path is signaled: the library's own files, which begin with a
    /// reserved name, are created and removed while it works.
    static func isCaused(byChangeOf path: some Collection<UInt8>, in root: String) -> Bool {
        let prefix = root == "/" ? "" : root
        guard path.starts(with: prefix.utf8) else { return true }
        let names = path.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "/"))
        return !names.contains { $0.starts(with: LibraryPath.reservedPrefix.utf8) }
    }
}
