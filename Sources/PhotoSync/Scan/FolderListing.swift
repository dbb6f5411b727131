#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The names in one folder, sorted by bytes. Blocks.
enum FolderListing {
    static func names(of path: String) throws(FileError) -> [[UInt8]] {
        let descriptor = LocalName.withPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .last }
        guard let folder = fdopendir(descriptor) else {
            let error = FileError.last
            close(descriptor)
            throw error
        }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen(pointer)))
                }
            }
            if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
        }
        guard errno == 0 else { throw .last }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
