import Foundation
import Secrets

/// Writes small files completely or not at all.
enum FileReplacement {
    /// Writes a file beside the old one, and renames it: other programs read the old content or the new one.
    /// - Parameter mode: The mode of the file, which it has from its first byte.
    static func write(_ bytes: Data, to path: String, mode: mode_t) throws(CommandFailure) {
        // A name of its own: a file with a fixed name could be another program's.
        let draft = "\(path).unfinished-\(Hex.encode(Randomness.system.bytes(8)))"
        if let reason = fill(draft, with: bytes, mode: mode) { throw failure(path, reason) }
        guard rename(draft, path) == 0 else {
            let reason = errno
            unlink(draft)
            throw failure(path, reason)
        }
    }

    /// Writes a file that does not exist yet. If this fails, there is none.
    static func create(_ bytes: Data, at path: String) throws(CommandFailure) {
        if let reason = fill(path, with: bytes, mode: 0o666) { throw failure(path, reason) }
    }

    /// Creates the folder of a file, with its parents, readable by this user only.
    static func createFolder(of path: String) throws(CommandFailure) {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty, mkdir(folder, 0o700) != 0 else { return }
        var reason = errno
        if reason == ENOENT {
            try createFolder(of: folder)
            if mkdir(folder, 0o700) == 0 { return }
            reason = errno
        }
        guard reason == EEXIST else {
            throw CommandFailure("Cannot create \(folder): \(String(cString: strerror(reason))).", code: .fileUnusable)
        }
    }

    /// Creates a file with this content; if that fails, the file is removed.
    /// - Returns: The system's error number; `nil` if the file is complete.
    private static func fill(_ path: String, with bytes: Data, mode: mode_t) -> CInt? {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { return errno }
        defer { close(file) }
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWritten, fsync(file) == 0 else {
            let reason = errno
            unlink(path)
            return reason
        }
        return nil
    }

    private static func failure(_ path: String, _ reason: CInt) -> CommandFailure {
        let text = reason == EEXIST ? "it exists already" : String(cString: strerror(reason))
        return CommandFailure("Cannot write \(path): \(text).", code: .fileUnusable)
    }
}
