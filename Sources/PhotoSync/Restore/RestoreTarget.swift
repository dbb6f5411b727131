import NIOCore
import PhotoCatalog

/// The location for a restored file. Blocks.
enum RestoreTarget: Sendable, Equatable {
    /// A file with the same content exists under the entry's name or beside it.
    case same
    /// The name is free.
    case free(String)

    /// Returns the entry's own name if it is free, else an alternative name.
    /// - Throws: `exists` if the alternative names are taken by other files, too.
    static func find(for entry: CatalogEntry, in folder: FolderHandle) throws(FileError) -> RestoreTarget {
        let digest = entry.md5.description
        let alternatives = [8, 32].compactMap { entry.path.withRemark("restored \(digest.prefix($0))")?.name }
        for name in [entry.path.name] + alternatives {
            do {
                let file = try OpenFile(in: folder, name: name)
                if try file.fingerprint().size == entry.size, try file.digest() == entry.md5 { return .same }
            } catch {
                switch error {
                case .missing: return .free(name)
                // A folder, a link or an unreadable file must not be replaced.
                case .wrongKind, .denied: continue
                default: throw error
                }
            }
        }
        throw .exists
    }

    /// Returns the temporary name of a file during its download. It is unique to the entry and the same in each
    /// attempt, so that the remains of a crash are found and removed.
    static func partialName(for entry: CatalogEntry) -> String {
        ".photolala-\(ContentDigest(of: ByteBuffer(string: "\(entry.md5)\n\(entry.path)"))).part"
    }
}
