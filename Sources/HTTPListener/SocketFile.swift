import Foundation
import NIOCore
import NIOPosix

/// The file of a listener's Unix domain socket, at an absolute path of at most 100 bytes.
///
/// The listener binds the socket in the folder `.s` beside the path, which only its owner can enter. The socket gets its
/// mode there, and then a hard link at the path. Other users can connect at no moment, and the file appears when the
/// listener accepts connections. A changed umask would instead apply to all files that the process creates in that time.
///
/// A lock on the folder keeps two processes from replacing a file concurrently.
actor SocketFile {
    /// The owner and the group may connect.
    private static let mode: mode_t = 0o660
    private static let lockAttempts = 1000
    private static let lockInterval = Duration.milliseconds(10)

    private let path: String
    private let folder: String
    private let stage: String
    /// Where the listener binds the socket. At most 103 bytes, which every system accepts.
    nonisolated let bindingPath: String
    /// The descriptor of the folder while it is locked.
    private var lock: Int32?
    private var published: FileIdentity?
    private var failure: ListenerError.Reason?

    private struct FileIdentity: Equatable {
        let device: dev_t
        let number: ino_t

        init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
    }

    init(_ path: String) {
        let file = URL(filePath: path)
        self.path = path
        folder = file.deletingLastPathComponent().path
        stage = folder == "/" ? "/.s" : "\(folder)/.s"
        bindingPath = "\(stage)/\(file.lastPathComponent)"
    }

    /// Runs a listener that binds `bindingPath` and then calls `publish`, and deletes the file when it has ended.
    /// - Throws: `ListenerError.Reason`, `IOError` and the errors of the listener.
    nonisolated func serve(_ listener: () async throws -> Void) async throws {
        do {
            try await prepare()
            try await listener()
        } catch {
            try await end()
            throw error
        }
        try await end()
    }

    /// Locks the folder, and deletes a socket that no process listens on.
    private func prepare() async throws {
        try await lockFolder()
        if let status = Self.status(of: path) {
            guard Self.isSocket(status) else { throw ListenerError.Reason.notSocket }
            try await deleteIfUnused()
        }
        // Left by a process that was killed before it unlocked the folder.
        deleteStage()
        guard mkdir(stage, 0o700) == 0 else { throw ListenerError.Reason(errno) }
    }

    private func deleteIfUnused() async throws {
        do {
            let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: path).get()
            try? await connection.close()
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            guard unlink(path) == 0 || errno == ENOENT else { throw ListenerError.Reason(errno) }
            return
        } catch let error as IOError where [ENOENT, EACCES, EPERM].contains(error.errnoCode) {
            if error.errnoCode == ENOENT { return }
            throw error
        } catch is IOError {
            // Such as EAGAIN: its process does not accept its connections.
        }
        throw ListenerError.Reason.addressInUse
    }

    /// Gives the bound socket its mode and its path, and unlocks the folder.
    /// - Returns: `false` if this failed; `serve` then throws the reason.
    func publish() -> Bool {
        let status = Self.status(of: bindingPath)
        if chmod(bindingPath, Self.mode) != 0 {
            failure = ListenerError.Reason(errno)
        } else if link(bindingPath, path) != 0 {
            failure = errno == EEXIST ? .addressInUse : ListenerError.Reason(errno)
        } else {
            published = status.map(FileIdentity.init)
        }
        unlockFolder()
        return failure == nil
    }

    /// Deletes the file if it is still that of this listener.
    private func end() async throws {
        unlockFolder()
        if let published, (try? await lockFolder()) != nil {
            if Self.status(of: path).map(FileIdentity.init) == published { unlink(path) }
            unlockFolder()
        }
        if let failure { throw failure }
    }

    private func lockFolder() async throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ListenerError.Reason(errno) }
        for _ in 0..<Self.lockAttempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                lock = descriptor
                return
            }
            try? await Task.sleep(for: Self.lockInterval)
        }
        close(descriptor)
        throw ListenerError.Reason.system(EWOULDBLOCK)
    }

    private func unlockFolder() {
        guard let lock else { return }
        deleteStage()
        close(lock)
        self.lock = nil
    }

    private func deleteStage() {
        guard let folder = Self.status(of: stage), folder.st_mode & S_IFMT == S_IFDIR, folder.st_uid == geteuid() else {
            return
        }
        if let status = Self.status(of: bindingPath), Self.isSocket(status) { unlink(bindingPath) }
        rmdir(stage)
    }

    /// Returns the status of a file; `nil` if there is none, or it cannot be read. Follows no symbolic link.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private static func isSocket(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFSOCK }
}
