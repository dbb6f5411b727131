import NIOCore
import PhotoCatalog

/// The resources of a source, as a source of dates. Nothing is downloaded to find the date of another photo; unreadable
/// resources have no dates.
struct AssetDates: DateSource {
    let files: AssetFiles

    /// The number of bytes of a picture in which dates are searched.
    private static let headLength = 256 << 10

    func clues(of path: LibraryPath, type: MediaType) async throws -> CaptureClues? {
        guard let head = try await read(path, limit: Self.headLength) else { return nil }
        let bytes = head.getSlice(at: head.readerIndex, length: min(head.readableBytes, Self.headLength)) ?? head
        return MediaReading(head: bytes, type: type).clues
    }

    func sidecar(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer? {
        guard let bytes = try await read(path, limit: limit) else { return nil }
        return bytes.readableBytes <= limit ? bytes : nil
    }

    /// Returns the first bytes of a resource: all of them, or more than `limit`.
    private func read(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer? {
        var bytes = ByteBuffer()
        do {
            guard let sequence = files.bytes(at: path, isDownloadAllowed: false) else { return nil }
            var iterator: any AsyncIteratorProtocol<ByteBuffer, any Error> = sequence.makeAsyncIterator()
            while bytes.readableBytes <= limit, let chunk = try await iterator.next(isolation: nil) {
                bytes.writeImmutableBuffer(chunk)
            }
        } catch {
            guard SourceError(error) == .cancelled else { return nil }
            throw FileError.cancelled
        }
        if Task.isCancelled { throw FileError.cancelled }
        return bytes
    }
}
