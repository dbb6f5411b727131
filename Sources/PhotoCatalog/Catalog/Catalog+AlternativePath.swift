import NIOCore

/// Paths for contents whose own path is taken.
extension Catalog {
    private static let slash = UInt8(ascii: "/")

    /// Returns the path under which a content is shown if its own path is taken. It is never the path of another entry
    /// or of a folder. It depends only on the catalog, so that all devices show the same path.
    ///
    /// If neither the first digits of the MD5 nor the whole MD5 yield a name that is free and not truncated, a digest
    /// of path and content is used instead.
    func alternativePath(_ index: Int) -> LibraryPath {
        let (path, digest) = (path(at: index), records[index].md5.description)
        let remarks = (sharesDigestPrefix(index) ? [32] : [8, 32]).map { "conflict \(digest.prefix($0))" }
        if let free = remarks.lazy.compactMap(path.withFullRemark).first(where: { !isOccupied($0) }) { return free }
        var attempt = 0
        while true {
            let own = ContentDigest(of: ByteBuffer(string: "\(path)\n\(digest)\n\(attempt)"))
            let remark = "conflict \(own)"
            // If the folder's path is too long for any name, the folder is omitted.
            let candidate = path.withRemark(remark) ?? LibraryPath(known: path.nameWithRemark(remark).name)
            if !isOccupied(candidate) { return candidate }
            attempt += 1
        }
    }

    /// Returns whether the library has entries in a folder with this path.
    func isFolder(_ path: LibraryPath) -> Bool {
        var beginning = Array(path.description.utf8)
        beginning.append(Self.slash)
        return beginning.withUnsafeBufferPointer { beginning in
            withPaths { paths in
                var index = partition { paths[$0].precedes(beginning) }
                while index < records.count, paths[index].starts(with: beginning) {
                    if records[index].isPresent { return true }
                    index += 1
                }
                return false
            }
        }
    }

    /// The indices of entries whose path is also a folder of other entries.
    var entriesAtFolderPaths: Set<UInt32> {
        var indices: Set<UInt32> = []
        withPaths { paths in
            var last: Int?
            for (index, record) in records.enumerated() where record.isPresent {
                let path = paths[index]
                for (length, byte) in path.enumerated() where byte == Self.slash {
                    // Paths are sorted, so that those of one folder are adjacent.
                    if let last, paths[last].starts(with: path[...length]) { continue }
                    let folder = LibraryPath(known: String(decoding: path[..<length], as: UTF8.self))
                    for other in range(of: folder) where records[other].isPresent { indices.insert(UInt32(other)) }
                }
                last = index
            }
        }
        return indices
    }

    private func isOccupied(_ path: LibraryPath) -> Bool {
        range(of: path).contains { records[$0].isPresent } || isFolder(path)
    }

    /// Returns whether another content at this path has an MD5 with the same first eight digits. Such records are
    /// adjacent.
    private func sharesDigestPrefix(_ index: Int) -> Bool {
        [index - 1, index + 1].contains { other in
            records.indices.contains(other) && records[other].md5.high >> 32 == records[index].md5.high >> 32
                && path(at: other) == path(at: index)
        }
    }
}
