import Foundation
import NIOCore
import NIOPosix

/// The simple way to create an object durably and at most once: write a temporary file, sync it, link it to its final
/// name (which fails if the name exists), sync the folder.
struct FilePerObject: Sendable {
    struct Failure: Error { let code: CInt }

    let folder: String
    let pool: NIOThreadPool

    func create(_ name: String, _ bytes: ByteBuffer) async throws {
        try await pool.runIfActive {
            let (temporary, final) = ("\(folder)/.\(name)", "\(folder)/\(name)")
            let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            try check(file)
            defer { _ = close(file) }
            try check(
                CInt(
                    truncatingIfNeeded: bytes.readableBytesView.withUnsafeBytes {
                        write(file, $0.baseAddress, $0.count)
                    }))
            try check(fsync(file))
            try check(link(temporary, final))
            try check(unlink(temporary))
            let names = open(folder, O_RDONLY | O_CLOEXEC)
            try check(names)
            defer { _ = close(names) }
            try check(fsync(names))
        }
    }

    private func check(_ result: CInt) throws {
        if result < 0 { throw Failure(code: errno) }
    }
}
