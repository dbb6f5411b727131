import NIOCore

/// Where an entry's file may go. Blocks.
enum RestoreTarget: Sendable, Equatable {
    /// The same content stands there under the entry's name or beside it.
    case same
    /// Nothing has this name.
    case free(String)

    /// The entry's own name if it is free, else one beside whatever has it.
    /// - Throws: `exists` when even those are taken by something else.
    static func find(for entry: CatalogEntry, in folder: FolderHandle) throws(FileError) -> RestoreTarget {
        let digest = entry.md5.description
        let beside = [8, 32].compactMap { entry.path.remarked("restored \(digest.prefix($0))")?.name }
        for name in [entry.path.name] + beside {
            do {
                let file = try OpenFile(in: folder, name: name)
                if try file.stamp().size == entry.size, try file.digest() == entry.md5 { return .same }
            } catch {
                switch error {
                case .missing: return .free(name)
                // A folder, a link or a file that may not be read: not ours to replace.
                case .wrongKind, .denied: continue
                default: throw error
                }
            }
        }
        throw .exists
    }

    /// The name of a file that is still coming: of this entry alone, and the same when it is tried again, so that what
    /// a crash left behind is found and removed.
    static func partialName(for entry: CatalogEntry) -> String {
        ".photolala-\(ContentDigest(of: ByteBuffer(string: "\(entry.md5)\n\(entry.path)"))).part"
    }
}
