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

    init(
        fingerprint: FileFingerprint, md5: ContentDigest, facts: MediaFacts, bufferedFile: BufferedFile? = nil
    ) {
        self.fingerprint = fingerprint
        self.md5 = md5
        self.facts = facts
        self.bufferedFile = bufferedFile
    }

    /// The inspection without the bytes, to keep while the upload runs.
    var withoutBytes: FileInspection { FileInspection(fingerprint: fingerprint, md5: md5, facts: facts) }

    /// The inspection with the color of the file's thumbnail, if that is known, and the duration that the maker of the
    /// thumbnail found, if the file's own metadata were not understood.
    func with(_ found: MediaFacts) -> FileInspection {
        var facts = facts
        facts.color = found.color ?? facts.color
        facts.duration = facts.duration ?? found.duration
        return FileInspection(fingerprint: fingerprint, md5: md5, facts: facts, bufferedFile: bufferedFile)
    }

    /// The inspection with a fingerprint that matches no file, for a file that may have changed since.
    var matchingNoFile: FileInspection {
        FileInspection(fingerprint: fingerprint.matchingNoFile, md5: md5, facts: facts)
    }

    /// Reads a file that a scan found.
    /// - Parameters:
    ///   - path: The file's path in the file system.
    ///   - buffers: Hold the bytes of files that are small enough. If `nil`, no bytes are held.
    ///   - dates: Determines the capture date. If `nil`, the result has no capture date.
    /// - Throws: `changedWhileRead` if the fingerprint changed during the read, the file was shorter than its size, or
    ///   it is empty or of another type than when it was scanned.
    static func read(
        _ scanned: ScannedFile, at path: String, buffers: FileBufferPool? = nil, dates: FolderDates? = nil
    ) async throws(BackupFailure) -> FileInspection {
        do {
            let opened = try await FileWork.run { () throws(FileError) -> (OpenFile, FileFingerprint)? in
                let file = try OpenFile(path)
                let fingerprint = try file.fingerprint()
                if fingerprint != scanned.fingerprint, try !scanned.isSameKind(as: file, fingerprint) { return nil }
                return (file, fingerprint)
            }
            guard let (file, fingerprint) = opened else { throw BackupFailure.changedWhileRead }
            let isSmall = buffers.map { fingerprint.size <= Int64($0.fileLimit) } ?? false
            let content =
                if isSmall, let buffers {
                    try await readSmall(file, fingerprint, scanned.type, buffers)
                } else {
                    try await readLarge(file, fingerprint, scanned.type)
                }
            var facts = content.reading.facts
            if let dates, !scanned.type.isSidecar {
                facts.taken = try await dates.date(of: scanned.path, content.reading.clues)
            }
            return FileInspection(
                fingerprint: fingerprint, md5: content.md5, facts: facts, bufferedFile: content.bufferedFile)
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
        _ file: OpenFile, _ fingerprint: FileFingerprint, _ type: MediaType, _ buffers: FileBufferPool
    ) async throws -> Content {
        let content = try await FileWork.run { () throws(FileError) -> Content? in
            let buffered = try buffers.readFile(Int(fingerprint.size)) { bytes throws(FileError) in
                try file.read(from: 0, count: Int(fingerprint.size), into: &bytes)
            }
            let bytes = buffered.bytes
            guard bytes.readableBytes == Int(fingerprint.size), try file.fingerprint() == fingerprint else {
                return nil
            }
            return Content(
                md5: ContentDigest(of: bytes), reading: MediaReading(head: bytes, type: type), bufferedFile: buffered)
        }
        guard let content else { throw BackupFailure.changedWhileRead }
        return content
    }

    private static func readLarge(_ file: OpenFile, _ fingerprint: FileFingerprint, _ type: MediaType) async throws
        -> Content
    {
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        while offset < fingerprint.size {
            if Task.isCancelled { throw FileError.cancelled }
            let (start, before) = (offset, hasher)
            let count = Int(min(Int64(pieceLength), fingerprint.size - offset))
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
            (try MediaReading(of: file, size: fingerprint.size, type: type), try file.fingerprint())
        }
        guard end == fingerprint else { throw BackupFailure.changedWhileRead }
        return Content(md5: ContentDigest(hasher.finalize()), reading: reading)
    }
}

extension MediaReading {
    /// Reads the beginning of an open file, and of its other parts what tells of them.
    init(of file: OpenFile, size: Int64, type: MediaType) throws(FileError) {
        let head = try file.read(from: 0, count: Int(min(Int64(FileInspection.pieceLength), size)))
        self.init(MediaBytes(head: head, size: size) { try? file.read(from: $0, count: $1) }, type: type)
    }
}
