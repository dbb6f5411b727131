import Crypto
import NIOCore

/// What one reading of a file told: its content's name, what it says of itself, and the bytes themselves when they are
/// few enough to be sent without reading again.
struct FileInspection: Sendable {
    let stamp: FileStamp
    let md5: ContentDigest
    let facts: MediaFacts
    let held: HeldFile?

    /// Bytes read and hashed at a time from a file that is not held.
    static let pieceLength = 1 << 20

    init(stamp: FileStamp, md5: ContentDigest, facts: MediaFacts, held: HeldFile?) {
        self.stamp = stamp
        self.md5 = md5
        self.facts = facts
        self.held = held
    }

    /// The same to remember while the bytes go.
    var withoutBytes: FileInspection { FileInspection(stamp: stamp, md5: md5, facts: facts, held: nil) }

    /// The same to remember what was sent, when the file may be another one by now.
    var ofNoFile: FileInspection { FileInspection(stamp: stamp.ofNoFile, md5: md5, facts: facts, held: nil) }

    /// Reads a file that a scan found below a folder.
    /// - Parameters:
    ///   - buffers: hold its bytes, if it is small enough for them; without any it is only read.
    ///   - dates: find when it was taken; without them that is not looked for.
    /// - Throws: `changedWhileRead` when its stamp was another one afterwards, it was shorter than it said, or it is empty
    ///   or of another kind by now.
    static func read(
        _ scanned: ScannedFile, in root: String, holding buffers: HeldFileBuffers? = nil, dates: FolderDates? = nil
    ) async throws(BackupFailure) -> FileInspection {
        do {
            let opened = try await FileWork.run { () throws(FileError) -> (OpenFile, FileStamp)? in
                let file = try OpenFile("\(root)/\(scanned.path)")
                let stamp = try file.stamp()
                if stamp != scanned.stamp, try !scanned.isSameKind(as: file, stamp) { return nil }
                return (file, stamp)
            }
            guard let (file, stamp) = opened else { throw BackupFailure.changedWhileRead }
            let isSmall = buffers.map { stamp.size <= Int64($0.fileLimit) } ?? false
            let read =
                if isSmall, let buffers {
                    try await small(file, stamp, scanned.type, buffers)
                } else {
                    try await large(file, stamp, scanned.type)
                }
            var facts = read.reading.facts
            if let dates, !scanned.type.isSidecar {
                facts.taken = try await dates.date(of: scanned.path, read.reading.clues)
            }
            return FileInspection(stamp: stamp, md5: read.md5, facts: facts, held: read.held)
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .changedWhileRead
        }
    }

    /// What the bytes of a file tell.
    private struct Content: Sendable {
        let md5: ContentDigest
        let reading: MediaReading
        var held: HeldFile?
    }

    private static func small(
        _ file: OpenFile, _ stamp: FileStamp, _ type: MediaType, _ buffers: HeldFileBuffers
    ) async throws -> Content {
        let content = try await FileWork.run { () throws(FileError) -> Content? in
            let held = try buffers.hold(Int(stamp.size)) { bytes throws(FileError) in
                try file.read(from: 0, count: Int(stamp.size), into: &bytes)
            }
            let bytes = held.bytes
            guard bytes.readableBytes == Int(stamp.size), try file.stamp() == stamp else { return nil }
            return Content(
                md5: ContentDigest(of: bytes), reading: MediaReading(head: bytes, type: type), held: held)
        }
        guard let content else { throw BackupFailure.changedWhileRead }
        return content
    }

    private static func large(_ file: OpenFile, _ stamp: FileStamp, _ type: MediaType) async throws -> Content {
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
            return (MediaReading(bytes, type: type), try file.stamp())
        }
        guard end == stamp else { throw BackupFailure.changedWhileRead }
        return Content(md5: ContentDigest(hasher.finalize()), reading: reading)
    }
}
