import Foundation

/// A lock between all processes and tasks that share a file. The system releases it when its owner exits for any
/// reason.
package struct FileLock: Sendable {
    private let path: String

    package init(_ path: String) { self.path = path }

    /// Runs a closure with exclusive access and blocks the thread while waiting. Only for work that takes milliseconds
    /// and never for network requests.
    func withLock<Result>(
        _ body: () throws(SecretStorageError) -> Result
    ) throws(SecretStorageError) -> Result {
        let file = try openFile()
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure() }
        }
        return try body()
    }

    private func openFile() throws(SecretStorageError) -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        return file
    }

    private func failure() -> SecretStorageError {
        let code = errno
        return SecretStorageError(
            detail: "Cannot lock \(path): \(String(cString: strerror(code))).",
            cause: FailureCause(errno: code, path: path))
    }
}
