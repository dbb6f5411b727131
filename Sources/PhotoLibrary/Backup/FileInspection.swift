import Crypto
import NIOCore

/// What one reading of a file told: its content's name, its date, and the bytes themselves when they are few enough to
/// be sent without reading again.
struct FileInspection: Sendable {
    let stamp: FileStamp
    let md5: ContentDigest
    let taken: Timestamp?
    let held: ByteBuffer?

    /// Bytes read and hashed at a time from a file that is not held.
    static let pieceLength = 4 << 20

    init(stamp: FileStamp, md5: ContentDigest, taken: Timestamp?, held: ByteBuffer?) {
        self.stamp = stamp
        self.md5 = md5
        self.taken = taken
        self.held = held
    }

    /// Reads a file.
    /// - Throws: `changedWhileRead` when its stamp was another one afterwards or it was shorter than it said.
    static func read(
        _ place: String, type: MediaType, holdingUpTo limit: Int
    ) async throws(BackupFailure) -> FileInspection {
        do {
            let (file, stamp) = try await FileWork.run { () throws(FileError) in
                let file = try OpenFile(place)
                return (file, try file.stamp())
            }
            guard stamp.size <= Int64(limit) else { return try await large(file, stamp, type) }
            return try await small(file, stamp, type)
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .changedWhileRead
        }
    }

    private static func small(_ file: OpenFile, _ stamp: FileStamp, _ type: MediaType) async throws -> FileInspection {
        let inspection = try await FileWork.run { () throws(FileError) -> FileInspection? in
            let bytes = try file.read(from: 0, count: Int(stamp.size))
            guard bytes.readableBytes == Int(stamp.size), try file.stamp() == stamp else { return nil }
            return FileInspection(
                stamp: stamp, md5: ContentDigest(of: bytes), taken: TakenDate.read(head: bytes, type: type), held: bytes
            )
        }
        guard let inspection else { throw BackupFailure.changedWhileRead }
        return inspection
    }

    private static func large(_ file: OpenFile, _ stamp: FileStamp, _ type: MediaType) async throws -> FileInspection {
        var hasher = Insecure.MD5()
        var offset: Int64 = 0
        var taken: Timestamp?
        while offset < stamp.size {
            if Task.isCancelled { throw FileError.cancelled }
            let (start, before) = (offset, hasher)
            let count = Int(min(Int64(pieceLength), stamp.size - offset))
            let (bytes, after) = try await FileWork.run { () throws(FileError) in
                let bytes = try file.read(from: start, count: count)
                var hasher = before
                hasher.update(bytes)
                return (bytes, hasher)
            }
            guard bytes.readableBytes == count else { throw BackupFailure.changedWhileRead }
            if offset == 0 { taken = TakenDate.read(head: bytes, type: type) }
            hasher = after
            offset += Int64(count)
        }
        let end = try await FileWork.run { () throws(FileError) in try file.stamp() }
        guard end == stamp else { throw BackupFailure.changedWhileRead }
        return FileInspection(stamp: stamp, md5: ContentDigest(hasher.finalize()), taken: taken, held: nil)
    }
}
