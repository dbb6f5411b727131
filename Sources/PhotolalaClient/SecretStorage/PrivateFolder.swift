import Foundation
import Secrets

/// A folder that only its owner can access (0700), with files that only their owner can read (0600).
///
/// Files are replaced atomically and synced with their folder, so that a power failure leaves either the old or the new
/// file. A file that other users can read is rejected instead of repaired, because its content may already be
/// disclosed.
package struct PrivateFolder: Sendable {
    package let path: String
    private let randomness: Randomness

    /// Creates the folder and its parents if missing.
    package init(_ path: String, randomness: Randomness) throws(SecretStorageError) {
        let path = Self.target(of: path)
        self.path = path
        self.randomness = randomness
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("create folder", path) }
        }
        var found = stat()
        guard lstat(path, &found) == 0 else { throw Self.failure("access", path) }
        guard found.st_mode & S_IFMT == S_IFDIR else {
            throw SecretStorageError(
                detail: "\(path) is \(Self.otherKind(found)).", cause: FailureCause(.wrongFileType, ["path": path]))
        }
        try Self.checkOwner(found, path, advice: " If not, run chmod 700 '\(path)'.")
    }

    /// Returns where a link of this user or of the system leads, and other paths as they are: another user's link could
    /// lead to any folder of this one. A link that leads nowhere is returned as it is.
    package static func target(of path: String) -> String {
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFLNK, [geteuid(), 0].contains(found.st_uid),
            let target = realpath(path, nil)
        else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// Describes what is at a path instead of a folder.
    package static func otherKind(_ found: stat) -> String {
        guard found.st_mode & S_IFMT == S_IFLNK else { return "not a folder" }
        return [geteuid(), 0].contains(found.st_uid) ? "a link that leads nowhere" : "a link of another user"
    }

    /// Restricts an existing folder to its owner. Does nothing if it is missing, or belongs to another user.
    /// - Returns: Whether other users could access it.
    static func restrict(_ path: String) throws(SecretStorageError) -> Bool {
        let path = target(of: path)
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid(),
            found.st_mode & 0o077 != 0
        else { return false }
        guard chmod(path, 0o700) == 0 else { throw failure("restrict", path) }
        return true
    }

    /// Returns whether a folder is known to contain nothing.
    static func isEmpty(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: target(of: path)))?.isEmpty ?? false
    }

    /// Returns the inode of the folder.
    package func inode() throws(SecretStorageError) -> UInt64 {
        var found = stat()
        guard lstat(path, &found) == 0 else { throw Self.failure("access", path) }
        return UInt64(found.st_ino)
    }

    /// Returns the path of a file in the folder.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns the file's bytes, at most 1 MiB, or `nil` if there is no such file.
    package func read(_ name: String) throws(SecretStorageError) -> Data? {
        let path = path(of: name)
        // A pipe is reported, and not waited for.
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("open", path, isUnusable: errno == ELOOP || errno == EACCES)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var found = stat()
        guard fstat(file, &found) == 0 else { throw Self.failure("access", path) }
        guard found.st_mode & S_IFMT == S_IFREG, found.st_size <= 1 << 20 else {
            throw SecretStorageError(
                detail: "\(path) is not a regular file of at most 1 MiB.", isUnusable: true,
                cause: FailureCause(.wrongFileType, ["path": path]))
        }
        try Self.checkOwner(found, path, advice: "")
        do {
            return try handle.readToEnd() ?? Data()
        } catch {
            throw Self.failure("read", path)
        }
    }

    /// Replaces a file atomically.
    package func replace(_ name: String, with bytes: Data) throws(SecretStorageError) {
        let path = path(of: name)
        let temporary = try writeTemporary(bytes)
        guard rename(temporary, path) == 0 else {
            unlink(temporary)
            throw Self.failure("write", path)
        }
        try sync()
    }

    /// Creates a file if it does not exist. If several processes try, one succeeds.
    /// - Returns: Whether this call created the file.
    package func create(_ name: String, _ bytes: Data) throws(SecretStorageError) -> Bool {
        let path = path(of: name)
        let temporary = try writeTemporary(bytes)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw Self.failure("write", path)
        }
        try sync()
        return true
    }

    /// Removes a file. Succeeds if there is no such file.
    package func remove(_ name: String) throws(SecretStorageError) {
        guard unlink(path(of: name)) == 0 || errno == ENOENT else { throw Self.failure("remove", path(of: name)) }
        try sync()
    }

    private func writeTemporary(_ bytes: Data) throws(SecretStorageError) -> String {
        let path = path(of: ".new-\(Hex.encode(randomness.bytes(8)))")
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("write", path) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            let failure = Self.failure("write", path)
            unlink(path)
            throw failure
        }
        return path
    }

    private func sync() throws(SecretStorageError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure("sync", path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.failure("sync", path) }
    }

    /// - Parameter advice: A sentence for an owner who knows that the contents are not disclosed.
    private static func checkOwner(_ found: stat, _ path: String, advice: String) throws(SecretStorageError) {
        guard found.st_uid == geteuid() else {
            // A folder of another user cannot be replaced.
            throw SecretStorageError(
                detail: "\(path) is owned by another user.", isUnusable: found.st_mode & S_IFMT != S_IFDIR,
                cause: FailureCause(.ownedByAnotherUser, ["path": path]))
        }
        guard found.st_mode & 0o077 == 0 else {
            throw SecretStorageError(
                detail: "Other users can read \(path), so its contents may be compromised.\(advice)", isUnusable: true,
                cause: FailureCause(.readableByOthers, ["path": path]))
        }
    }

    private static func failure(_ action: String, _ path: String, isUnusable: Bool = false) -> SecretStorageError {
        let code = errno
        return SecretStorageError(
            detail: "Cannot \(action) \(path): \(String(cString: strerror(code))).", isUnusable: isUnusable,
            cause: FailureCause(errno: code, path: path))
    }
}
