import AccountMaintenance
import Foundation
import NIOCore
import Transport

/// A snapshot file, read from its beginning.
struct SnapshotInput: Sendable {
    private let path: String
    private let handle: FileHandle
    private static let chunkSize = 1 << 20

    init(path: String) throws(SnapshotError) {
        self.path = path
        do throws(NamedFile.Problem) { handle = try InputFile.open(path) } catch {
            throw .file(error == .notRegular ? "\(path) is \(error)" : "cannot open \(path): \(error)")
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
