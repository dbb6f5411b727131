import Foundation

/// Replaces files in one step: other programs read the old content or the new one.
enum FileReplacement {
    /// Writes a file beside the old one, and renames it.
    /// - Parameter mode: The mode of the file, which it has from its first byte.
    static func write(_ bytes: Data, to path: String, mode: mode_t) throws(CommandFailure) {
        let draft = "\(path).unfinished"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(path) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            unlink(draft)
            throw CommandFailure("Cannot write \(path): \(error.localizedDescription)")
        }
        guard rename(draft, path) == 0 else {
            let failure = failure(path)
            unlink(draft)
            throw failure
        }
    }

    /// Creates the folder of a file, with its parents, readable by this user only.
    static func createFolder(of path: String) throws(CommandFailure) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw CommandFailure("Cannot create \(folder): \(error.localizedDescription)") }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("Cannot write \(path): \(String(cString: strerror(errno))).")
    }
}
