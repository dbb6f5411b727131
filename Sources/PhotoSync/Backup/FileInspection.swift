import Crypto
import NIOCore
import PhotoCatalog

/// The result of reading a file: its MD5, its media facts and, if it is small enough to be uploaded without reading it
/// again, its bytes.
struct FileInspection: Sendable {
    let fingerprint: FileFingerprint
    let md5: ContentDigest
    let facts: MediaFacts
    let bufferedFile: BufferedFile?

    /// Bytes read and hashed at a time from a file that is not held.
    static let pieceLength = 1 << 20

    init(stamp: FileFingerprint, md5: ContentDigest, facts: MediaFacts, held: BufferedFile?) {
        self.fingerprint = stamp
        self.md5 = md5
        self.facts = facts
        self.bufferedFile = held
    }

    /// The inspection without the bytes, to keep while the upload runs.
    var withoutBytes: FileInspection { FileInspection(stamp: fingerprint, md5: md5, facts: facts, held: nil) }

    /// The inspection with a fingerprint that matches no file, for a file that may have changed since.
    var matchingNoFile: FileInspection {
        FileInspection(stamp: fingerprint.matchingNoFile, md5: md5, facts: facts, held: nil)
    }

    /// Reads a file that a scan found below a folder.
    /// - Parameters:
    ///   - buffers: Hold the bytes of files that are small enough. If `nil`, no bytes are held.
    ///   - dates: Determines the capture date. If `nil`, the result has no capture date.
    /// - Throws: `changedWhileRead` if the fingerprint changed during the read, the file was shorter than its size, or
    ///   it is empty or of another type than when it was scanned.
    static func read(
        _ scanned: ScannedFile, in root: String, holding buffers: FileBufferPool? = nil, dates: FolderDates? = nil
    ) async throws(BackupFailure) -> FileInspection {
        do {
            let opened = try await FileWork.run { () throws(FileError) -> (OpenFile, FileFingerprint)? in
                let file = try OpenFile("\(root)/\(scanned.path)")
                let stamp = try file.fingerprint()
                if stamp != scanned.fingerprint, try !scanned.isSameKind(as: file, stamp) { return nil }
                return (file, stamp)
            }
            guard let (file, stamp) = opened else { throw BackupFailure.changedWhileRead }
            let isSmall = buffers.map { stamp.size <= Int64($0.fileLimit) } ?? false
            let read =
                if isSmall, let buffers {
                    try await readSmall(file, stamp, scanned.type, buffers)
                } else {
                    try await readLarge(file, stamp, scanned.type)
                }
            var facts = read.reading.facts
            if let dates, !scanned.type.isSidecar {
                facts.taken = try await dates.date(of: scanned.path, read.reading.clues)
            }
            return FileInspection(stamp: stamp, md5: read.md5, facts: facts, held: read.bufferedFile)
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .changedWhileRead
        }
    }

    /// The result of reading the bytes of a file.
    private struct Content: Sendable {
        let md5: ContentDigest
        let reading: MediaReading
        var bufferedFile: BufferedFile?
    }

    private static func readSmall(
        _ file: OpenFile, _ stamp: FileFingerprint, _ type: MediaType, _ buffers: FileBufferPool
    ) async throws -> Content {
        let content = try await FileWork.run { () throws(FileError) -> Content? in
            let held = try buffers.readFile(Int(stamp.size)) { bytes throws(FileError) in
                try file.read(from: 0, count: Int(stamp.size), into: &bytes)
            }
            let bytes = held.bytes
            guard bytes.readableBytes == Int(stamp.size), try file.fingerprint() == stamp else { return nil }
            return Content(
                md5: ContentDigest(of: bytes), reading: MediaReading(head: bytes, type: type), bufferedFile: held)
        }
        guard let content else { throw BackupFailure.changedWhileRead }
        return content
    }

    private static func readLarge(_ file: OpenFile, _ stamp: FileFingerprint, _ type: MediaType) async throws -> Content
    {
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        while offset < stamp.size {
            if Task.isCancelled { throw FileError.cancelled }
            let (start, before) = (offset, hasher)
            let count = Int(min(Int64(pieceLength), stamp.size - offset))
            let after = try await FileWork.run { () throws(FileError) -> Insecure.MD5? in
                let bytes = try file.read(from: start, count: count)
                guard bytes.readableBytes == count else { return nil }
                var hasher = before
                hasher.update(bytes)
                return hasher
            }
            guard let after else { throw BackupFailure.changedWhileRead }
            hasher = after
            offset += Int64(count)
        }
        let (reading, end) = try await FileWork.run { () throws(FileError) in
            let head = try file.read(from: 0, count: Int(min(Int64(pieceLength), stamp.size)))
            let bytes = MediaBytes(head: head, size: stamp.size) { try? file.read(from: $0, count: $1) }
            return (MediaReading(bytes, type: type), try file.fingerprint())
        }
        guard end == stamp else { throw BackupFailure.changedWhileRead }
        return Content(md5: ContentDigest(hasher.finalize()), reading: reading)
    }
}
