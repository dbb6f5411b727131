import NIOCore
import PhotoCatalog
import Secrets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The marker of a synced folder: a small file in it. Its absence indicates that the disk is not mounted, or that
/// another folder is at this path, and not that the photos were removed. While the marker is held, no other process can
/// sync the folder, from any device; on file systems without locks this is not enforced. All calls block.
final class FolderMarker: Sendable {
    static let name = "\(LibraryPath.reservedPrefix)-folder"

    /// A text of 32 characters that is unique to the folder.
    let text: String
    private let file: OpenFile

    private init(_ file: OpenFile, _ text: String) {
        (self.file, self.text) = (file, text)
    }

    /// Releases the lock, even if this object is still referenced.
    func release() { flock(file.descriptor, LOCK_UN) }

    /// Locks the marker of a folder; returns `nil` if there is none, or it cannot be read.
    /// - Throws: `exists` while another sync holds it.
    static func lock(in folder: FolderHandle) throws(FileError) -> FolderMarker? {
        // The name may be replaced between two calls; four attempts are enough.
        for _ in 0..<4 {
            guard let file = try open(in: folder) else { return nil }
            // CIFS returns EACCES if another process holds the lock and, with mandatory locks, also for reads.
            let isHeldByAnother =
                flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && [EWOULDBLOCK, EACCES].contains(errno)
            guard !isHeldByAnother else { throw .exists }
            // Only under the lock is the file certain to be complete.
            guard try folder.fingerprint(of: name) == file.fingerprint() else { continue }
            let fields = try read(file).split(whereSeparator: \.isWhitespace)
            return fields.count == 1 && fields[0].utf8.count == 32 ? FolderMarker(file, String(fields[0])) : nil
        }
        throw .exists
    }

    private static func read(_ file: OpenFile) throws(FileError) -> String {
        do throws(FileError) { return String(buffer: try file.read(from: 0, count: 64)) } catch {
            throw error == .denied ? .exists : error
        }
    }

    /// Creates a marker for a folder and locks it, unless one has been created concurrently.
    /// - Throws: `exists` while another sync holds or creates the marker.
    static func make(in folder: FolderHandle, _ randomness: Randomness) throws(FileError) -> FolderMarker {
        let file = try PartialFile(in: folder, name: "\(name).part")
        if let marker = try lock(in: folder) { return marker }
        try file.truncate(at: 0)
        try file.append(ByteBuffer(string: "\(ContentDigest(of: ByteBuffer(bytes: randomness.bytes(16))))\n"))
        folder.remove(name)
        do throws(FileError) { try file.publish(as: name, modified: nil) } catch {
            throw error == .exists ? .wrongKind : error
        }
        guard let marker = try lock(in: folder) else { throw .missing }
        return marker
    }

    /// Opens the marker for reading and writing or, if that is denied, for reading: some file systems lock only files
    /// open for writing, and some folders are read-only.
    private static func open(in folder: FolderHandle) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            return try OpenFile(owning: openat(folder.descriptor, name, flags))
        } catch {
            guard error == .denied || error == .readOnly else { return try nilIfAbsent(error) }
        }
        do throws(FileError) { return try OpenFile(in: folder, name: name) } catch { return try nilIfAbsent(error) }
    }

    private static func nilIfAbsent(_ error: FileError) throws(FileError) -> OpenFile? {
        guard [.missing, .wrongKind, .denied].contains(error) else { throw error }
        return nil
    }
}

extension FolderMarker {
    /// Returns the innermost parent folder that is synced itself.
    /// - Parameter root: A resolved path.
    static func syncedFolder(above root: String) -> String? {
        var ancestor = root[...]
        while let slash = ancestor.utf8.lastIndex(of: UInt8(ascii: "/")) {
            ancestor = ancestor[..<slash]
            var status = stat()
            if LocalName.withPath("\(ancestor)/\(name)", { lstat($0, &status) }) == 0, status.isRegularFile {
                return ancestor.isEmpty ? "/" : String(ancestor)
            }
        }
        return nil
    }
}
