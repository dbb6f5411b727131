import NIOCore
import Secrets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The mark of a synced folder: a small file of its own in it, by which a disk that is not mounted, or another folder in
/// its place, is told from a folder whose photos were removed. While it is held nobody else syncs the folder, from
/// whatever device; file systems without locks do without. All calls block.
final class FolderMark: Sendable {
    static let name = "\(LibraryPath.ownNames)-folder"

    /// 32 letters and digits that no other folder has.
    let text: String
    private let file: OpenFile

    private init(_ file: OpenFile, _ text: String) {
        (self.file, self.text) = (file, text)
    }

    /// Lets others sync the folder, whoever still holds this here.
    func release() { flock(file.descriptor, LOCK_UN) }

    /// The folder's mark, held; `nil` where it has none, or none that can be read.
    /// - Throws: `exists` while another sync holds it.
    static func hold(in folder: FolderHandle) throws(FileError) -> FolderMark? {
        // Another one may get the name between two calls, but hardly so many times.
        for _ in 0..<4 {
            guard let file = try open(in: folder) else { return nil }
            // CIFS says EACCES to whoever comes second, and where it locks, to their reading, too.
            let isHeldByAnother =
                flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && [EWOULDBLOCK, EACCES].contains(errno)
            guard !isHeldByAnother else { throw .exists }
            // Only now is it sure to be whole.
            guard try folder.stamp(of: name) == file.stamp() else { continue }
            let words = try read(file).split(whereSeparator: \.isWhitespace)
            return words.count == 1 && words[0].utf8.count == 32 ? FolderMark(file, String(words[0])) : nil
        }
        throw .exists
    }

    private static func read(_ file: OpenFile) throws(FileError) -> String {
        do throws(FileError) { return String(buffer: try file.read(from: 0, count: 64)) } catch {
            throw error == .denied ? .exists : error
        }
    }

    /// Gives a folder a mark of its own, held, unless it has got one meanwhile.
    /// - Throws: `exists` while another sync holds the folder's mark, or makes one.
    static func make(in folder: FolderHandle, _ randomness: Randomness) throws(FileError) -> FolderMark {
        let file = try PartialFile(in: folder, name: "\(name).part")
        if let mark = try hold(in: folder) { return mark }
        try file.cut(at: 0)
        try file.append(ByteBuffer(string: "\(ContentDigest(of: ByteBuffer(bytes: randomness.bytes(16))))\n"))
        folder.remove(name)
        do throws(FileError) { try file.publish(as: name, modified: nil) } catch {
            throw error == .exists ? .wrongKind : error
        }
        guard let mark = try hold(in: folder) else { throw .missing }
        return mark
    }

    /// Some file systems lock only what is open for writing, and some folders can only be read.
    private static func open(in folder: FolderHandle) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            return try OpenFile(owning: openat(folder.descriptor, name, flags))
        } catch {
            guard error == .denied else { return try absent(error) }
        }
        do throws(FileError) { return try OpenFile(in: folder, name: name) } catch { return try absent(error) }
    }

    private static func absent(_ error: FileError) throws(FileError) -> OpenFile? {
        guard [.missing, .wrongKind, .denied].contains(error) else { throw error }
        return nil
    }
}

extension FolderMark {
    /// The innermost folder above one that is synced itself.
    /// - Parameter root: a real path.
    static func folder(above root: String) -> String? {
        var place = root[...]
        while let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) {
            place = place[..<slash]
            var status = stat()
            if lstat("\(place)/\(name)", &status) == 0, status.isRegularFile {
                return place.isEmpty ? "/" : String(place)
            }
        }
        return nil
    }
}
