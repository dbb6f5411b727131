import Accounts
import Foundation
import NIOCore
import Secrets

/// A file on its way: for its owner alone, under another name until it is whole and on the disk, and never in the place
/// of one that is there.
struct SnapshotOutput: Sendable {
    private let handle: FileHandle
    private let paths: (unfinished: String, finished: String)?

    /// Standard output.
    static let standard = SnapshotOutput(handle: .standardOutput, paths: nil)

    private init(handle: FileHandle, paths: (unfinished: String, finished: String)?) {
        self.handle = handle
        self.paths = paths
    }

    init(path: String) throws(SnapshotError) {
        guard !FileManager.default.fileExists(atPath: path) else { throw .file("\(path) is there already") }
        let unfinished = "\(path).unfinished-\(Hex.encode(Randomness.system.bytes(4)))"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("\(unfinished): \(Self.reason())") }
        self.init(
            handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), paths: (unfinished, path))
    }

    func write(_ bytes: ByteBuffer) throws(SnapshotError) {
        do {
            try handle.write(contentsOf: bytes.readableBytesView)
        } catch {
            throw .file("the snapshot cannot be written: \(error.localizedDescription)")
        }
    }

    /// Gives the file its name. A second name never takes the place of a file.
    func finish() throws(SnapshotError) {
        guard let paths else { return }
        guard fsync(handle.fileDescriptor) == 0, link(paths.unfinished, paths.finished) == 0 else {
            throw .file("\(paths.finished): \(Self.reason())")
        }
        unlink(paths.unfinished)
        let folder = open(
            URL(fileURLWithPath: paths.finished).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw .file("\(paths.finished): \(Self.reason())") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .file("\(paths.finished): \(Self.reason())") }
    }

    /// Leaves nothing behind.
    func abandon() {
        if let paths { unlink(paths.unfinished) }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
