import NIOCore
import ObjectStorage
import PhotoCatalog

/// A stored video, of which only the bytes are fetched that its first frame and its duration need.
struct StoredVideo: Sendable {
    let reader: PhotoReader
    let entry: CatalogEntry
    let pause: Backoff

    /// Videos up to this length, in bytes, are fetched whole.
    static let wholeLength = PictureFile.beginning + Int64(PictureFile.end)
    /// The longest structure that is fetched, in bytes; for two hours it has about 4 MiB.
    private static let longestStructure: Int64 = 32 << 20
    private static let pieceLength: Int64 = 4 << 20
    /// The number of bytes at the end that are fetched of videos without a structure. MPEG and Ogg have only times of frames,
    /// and ffmpeg looks at the last 64 to 250 KB for the last one.
    private static let endLength: Int64 = 1 << 20
    /// The maximum number of requests to find the structure.
    private static let lookups = 16
    private static let attempts = 3

    /// The types whose structure says where the frames are. Others are read from the beginning.
    static let indexed: [MediaType] = [.quickTime, .mp4, .mobile3GPP]

    /// Writes the beginning of the video, and its structure if it has one or otherwise its end, to a file of the same length.
    /// - Returns: `false` if the video should have a structure and none was found.
    func write(to file: PictureFile) async throws(RestoreFailure) -> Bool {
        let head = try await piece(0..<min(entry.size, PictureFile.beginning))
        guard Self.indexed.contains(entry.type) else {
            try await write(head, to: file, at: 0)
            let end = max(PictureFile.beginning, entry.size - Self.endLength)
            if end < entry.size { try await write(piece(end..<entry.size), to: file, at: end) }
            do { try await file.setLength(entry.size) } catch { throw .file(error) }
            return true
        }
        guard let structure = try await structure(behind: head), structure.count <= Self.longestStructure else {
            return false
        }
        try await write(head, to: file, at: 0)
        var offset = max(structure.lowerBound, PictureFile.beginning)
        while offset < structure.upperBound {
            let end = min(structure.upperBound, offset + Self.pieceLength)
            try await write(piece(offset..<end), to: file, at: offset)
            offset = end
        }
        do { try await file.setLength(entry.size) } catch { throw .file(error) }
        return true
    }

    private func write(_ bytes: ByteBuffer, to file: PictureFile, at offset: Int64) async throws(RestoreFailure) {
        do { try await file.write(bytes, at: offset) } catch { throw .file(error) }
    }

    /// Finds the structure. Each attempt ends at the first position that was not fetched yet.
    private func structure(behind head: ByteBuffer) async throws(RestoreFailure) -> Range<Int64>? {
        var pieces: [Int64: ByteBuffer] = [:]
        for _ in 1...Self.lookups {
            var missing: Int64?
            let bytes = MediaBytes(head: head, size: entry.size) { offset, count in
                // A header has at most 16 bytes and is read in two parts.
                for start in [offset, offset - 8] {
                    if let known = pieces[start] {
                        return known.getSlice(at: known.readerIndex + Int(offset - start), length: count)
                    }
                }
                missing = missing ?? offset
                return nil
            }
            let found = bytes.movieRange
            guard let missing else { return found }
            pieces[missing] = try await piece(missing..<min(entry.size, missing + 16))
        }
        return nil
    }

    private func piece(_ range: Range<Int64>) async throws(RestoreFailure) -> ByteBuffer {
        var attempt = 1
        while true {
            do throws(RestoreFailure) { return try await reader.data(of: entry, range) } catch {
                guard case .store(let reason) = error, reason.isTransient, attempt < Self.attempts, !Task.isCancelled
                else { throw error }
            }
            await pause.wait(attempt: attempt)
            attempt += 1
        }
    }
}
