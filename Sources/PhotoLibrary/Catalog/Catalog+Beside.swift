import NIOCore

/// Where contents are shown that do not have their path's name.
extension Catalog {
    private static let slash = UInt8(ascii: "/")

    /// The path under which a content is shown that does not have its path's name: never that of another entry or of a
    /// folder. It depends on what the catalog says alone, so that all devices show the same.
    ///
    /// Where the beginning of the MD5 or all of it does not do, because that name is taken or would be cut, a digest of path and
    /// content takes its place.
    func placeBeside(_ index: Int) -> LibraryPath {
        let (path, digest) = (path(at: index), records[index].md5.description)
        let remarks = (sharesBeginning(index) ? [32] : [8, 32]).map { "conflict \(digest.prefix($0))" }
        if let free = remarks.lazy.compactMap(path.remarkedWhole).first(where: { !isTaken($0) }) { return free }
        var round = 0
        while true {
            let own = ContentDigest(of: ByteBuffer(string: "\(path)\n\(digest)\n\(round)"))
            let remark = "conflict \(own)"
            // A folder whose path leaves no room for any name is left out.
            let place = path.remarked(remark) ?? LibraryPath(known: path.remarkedName(remark).name)
            if !isTaken(place) { return place }
            round += 1
        }
    }

    /// Whether entries stand in a folder at this path.
    func isFolder(_ path: LibraryPath) -> Bool {
        var beginning = Array(path.description.utf8)
        beginning.append(Self.slash)
        return beginning.withUnsafeBufferPointer { beginning in
            withPaths { paths in
                var index = partition { paths[$0].precedes(beginning) }
                while index < records.count, paths[index].starts(with: beginning) {
                    if records[index].isAlive { return true }
                    index += 1
                }
                return false
            }
        }
    }

    /// The entries whose path is a folder of other entries.
    var placesOfFolders: Set<UInt32> {
        var places: Set<UInt32> = []
        withPaths { paths in
            var last: Int?
            for (index, record) in records.enumerated() where record.isAlive {
                let path = paths[index]
                for (length, byte) in path.enumerated() where byte == Self.slash {
                    // Paths come in order: those of one folder behind each other.
                    if let last, paths[last].starts(with: path[...length]) { continue }
                    let folder = LibraryPath(known: String(decoding: path[..<length], as: UTF8.self))
                    for other in range(of: folder) where records[other].isAlive { places.insert(UInt32(other)) }
                }
                last = index
            }
        }
        return places
    }

    private func isTaken(_ path: LibraryPath) -> Bool {
        range(of: path).contains { records[$0].isAlive } || isFolder(path)
    }

    /// Whether another content at this path has an MD5 that begins with the same eight digits. Those stand beside each other.
    private func sharesBeginning(_ index: Int) -> Bool {
        [index - 1, index + 1].contains { other in
            records.indices.contains(other) && records[other].md5.high >> 32 == records[index].md5.high >> 32
                && path(at: other) == path(at: index)
        }
    }
}
