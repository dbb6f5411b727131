import NIOCore
import PhotoCatalog

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension UploadQueue {
    /// What is known of a copy after it was read.
    enum CopyState {
        case intact, damaged
        /// It cannot be read now, as before a device is unlocked or in a task that was cancelled.
        case unreadable(FileError)
    }

    /// Reads the copy of a content and compares its MD5.
    func checkCopy(of entry: CatalogEntry) async -> CopyState {
        let path = copy(of: entry.md5)
        do {
            let fingerprint = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
            guard fingerprint.size == entry.size else { return .damaged }
            let body = VerifiedFileBody(path: path, fingerprint: fingerprint, md5: entry.md5) { _ in }
            for try await _ in body {}
            return .intact
        } catch let error as FileError {
            return [.missing, .wrongKind, .system(EIO)].contains(error) ? .damaged : .unreadable(error)
        } catch {
            return .damaged
        }
    }

    /// Returns whether there is a copy of the length of a content.
    func hasCopy(of entry: CatalogEntry) async -> Bool {
        let path = copy(of: entry.md5)
        let size = try? await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint().size }
        return size == entry.size
    }
}

/// A file that is written from its beginning. All calls block.
final class CopyFile: Sendable {
    private let descriptor: CInt

    init(_ path: String) throws(FileError) {
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    func append(_ bytes: ByteBuffer) throws(FileError) { try writeAll(bytes, to: descriptor) }

    func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
