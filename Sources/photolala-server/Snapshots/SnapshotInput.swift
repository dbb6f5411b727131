import AccountMaintenance
import Foundation
import NIOCore

/// A snapshot file, read from its beginning.
struct SnapshotInput: Sendable {
    private let path: String
    private let handle: FileHandle
    private static let chunkSize = 1 << 20

    init(path: String) throws(SnapshotError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("cannot open \(path): \(String(cString: strerror(errno)))") }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .file("\(path) is not a regular file")
        }
    }

    func next() throws(SnapshotError) -> ByteBuffer? {
        do {
            guard let data = try handle.read(upToCount: Self.chunkSize), !data.isEmpty else { return nil }
            return ByteBuffer(bytes: data)
        } catch {
            throw .file("cannot read \(path): \(error.localizedDescription)")
        }
    }
}
