import Foundation
import NIOCore
import Secrets
import Transport

/// A new file with owner-only permissions. It has a temporary name until it is complete and synced, and never replaces
/// an existing file.
struct NewFile: Sendable {
    private let handle: FileHandle
    private let paths: (unfinished: String, finished: String)?

    /// Standard output.
    static let standard = NewFile(handle: .standardOutput, paths: nil)

    private init(handle: FileHandle, paths: (unfinished: String, finished: String)?) {
        self.handle = handle
        self.paths = paths
    }

    init(path: String) throws(FileProblem) {
        guard !FileManager.default.fileExists(atPath: path) else { throw FileProblem("\(path) already exists") }
        let unfinished = "\(path).unfinished-\(Hex.encode(Randomness.system.bytes(4)))"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileProblem("cannot create \(path): \(Self.reason())") }
        self.init(
            handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), paths: (unfinished, path))
    }

    func write(_ bytes: ByteBuffer) throws(FileProblem) {
        do {
            try handle.write(contentsOf: bytes.readableBytesView)
        } catch {
            if paths == nil, StandardOutput.hasLostReader { StandardOutput.endByBrokenPipe() }
            throw FileProblem("cannot write the file: \(error.localizedDescription)")
        }
    }

    /// Syncs the file and gives it its final name. Fails if the name is already in use.
    func finish() throws(FileProblem) {
        guard let paths else { return }
        guard fsync(handle.fileDescriptor) == 0, Self.publish(paths.unfinished, as: paths.finished) else {
            throw FileProblem("\(paths.finished): \(Self.reason())")
        }
        let folder = open(
            URL(fileURLWithPath: paths.finished).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw FileProblem("\(paths.finished): \(Self.reason())") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw FileProblem("\(paths.finished): \(Self.reason())") }
    }

    /// Renames a file without replacing another one, also on a disk without hard links.
    private static func publish(_ unfinished: String, as finished: String) -> Bool {
        if link(unfinished, finished) == 0 {
            unlink(unfinished)
            return true
        }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK].contains(errno) else { return false }
        let descriptor = open(finished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return rename(unfinished, finished) == 0
    }

    /// Deletes the unfinished file.
    func abandon() {
        if let paths { unlink(paths.unfinished) }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// Why a new file cannot be written, for the operator.
struct FileProblem: Error {
    let text: String

    fileprivate init(_ text: String) { self.text = text }
}
