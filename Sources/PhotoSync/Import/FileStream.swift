import ForeignExports
import NIOCore
import PhotoCatalog
import Synchronization

/// The bytes of one file of an export, read piece by piece. At its end, the checksum of an archive's file is verified.
struct FileStream: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let file: ExportedFile
    private let location: ExportLocation

    init(_ file: ExportedFile, _ location: ExportLocation) { (self.file, self.location) = (file, location) }

    func makeAsyncIterator() -> Iterator {
        Iterator(
            source: file.size == 0 ? nil : FileReader(file, location))
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: FileReader?

        /// - Throws: `SourceError`
        func next() async throws -> ByteBuffer? {
            guard let source else { return nil }
            if Task.isCancelled { throw SourceError.cancelled }
            let result: Result<ByteBuffer?, SourceError>
            do throws(FileError) {
                result = try await FileWork.run { () throws(FileError) in try source.next() }
            } catch {
                throw SourceError(error)
            }
            return try result.get()
        }
    }
}

extension SourceError {
    static let damaged = SourceError.failed("damaged in the archive")
}

/// Reads one file from its beginning. Used by one task at a time.
private final class FileReader: Sendable {
    private struct State: ~Copyable {
        var file: OpenFile?
        var inflater: Inflater?
        /// The position of the next byte to read, and that behind the last one.
        var next: Int64 = 0
        var end: Int64 = 0
        var source = ByteBuffer()
        var produced: Int64 = 0
        var checksum = RunningCRC32()
    }

    private let file: ExportedFile
    private let location: ExportLocation
    private let state = Mutex(State())

    private static let pieceLength = 1 << 20

    init(_ file: ExportedFile, _ location: ExportLocation) { (self.file, self.location) = (file, location) }

    /// Returns the next piece; `nil` at the end. Blocks.
    func next() throws(FileError) -> Result<ByteBuffer?, SourceError> {
        try state.withLock { (state) throws(FileError) in
            if state.file == nil, try !open(&state) { return .failure(.damaged) }
            guard let opened = state.file else { return .failure(.damaged) }
            if state.produced == file.size { return .success(nil) }
            var piece = ByteBuffer()
            let wanted = Int(min(Int64(Self.pieceLength), file.size - state.produced))
            if state.inflater == nil {
                piece = try opened.read(from: state.next, count: wanted)
                state.next += Int64(piece.readableBytes)
            } else {
                while piece.readableBytes < wanted, state.inflater?.isOver == false {
                    if state.source.readableBytes == 0 {
                        let count = Int(min(Int64(Self.pieceLength), state.end - state.next))
                        guard count > 0 else { break }
                        state.source = try opened.read(from: state.next, count: count)
                        guard state.source.readableBytes == count else { return .failure(.damaged) }
                        state.next += Int64(count)
                    }
                    let missing = wanted - piece.readableBytes
                    guard state.inflater?.inflate(&state.source, into: &piece, atMost: missing) == true else {
                        return .failure(.damaged)
                    }
                }
            }
            state.produced += Int64(piece.readableBytes)
            state.checksum.update(piece)
            let isWhole = state.produced < file.size || file.crc32.map { $0 == state.checksum.value } ?? true
            return piece.readableBytes == wanted && isWhole ? .success(piece) : .failure(.damaged)
        }
    }

    /// - Returns: `false` if the archive is damaged.
    private func open(_ state: inout State) throws(FileError) -> Bool {
        switch location {
        case .path(let path):
            let opened = try OpenFile(path)
            // A changed file is another one than was listed.
            guard try opened.fingerprint().size == file.size else { return false }
            state.file = opened
        case .member(let member, let archive):
            let header = try archive.read(from: member.offset, count: ZipMember.localHeaderLength)
            guard let start = member.start(afterLocalHeader: Array(header.readableBytesView)) else { return false }
            (state.file, state.next, state.end) = (archive, start, start + member.storedSize)
            if member.isCompressed {
                guard let inflater = Inflater() else { return false }
                state.inflater = consume inflater
            }
        }
        return true
    }
}
