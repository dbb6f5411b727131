import NIOCore

/// Plans the changes to a WebP file. Chunks that are removed become `JUNK`.
enum WebPRemoval {
    private static let chunkLimit = 1 << 16
    private static let frameHeader: Int64 = 16
    private static let exifFlag: UInt8 = 0x08
    private static let xmpFlag: UInt8 = 0x04

    private struct Chunk {
        let kind: BoxKind
        let offset: Int64
        let data: Range<Int64>
        /// The offset behind the byte that pads the data to an even length.
        let end: Int64
    }

    static func plan(_ file: inout RemovalReader, _ changes: inout RemovalChanges) async throws {
        let head = try await file.window(at: 0, count: 12)
        try require(head.has("RIFF") && head.has("WEBP", at: 8))
        let end = 8 + Int64(try known(head.uint32(at: 4, .little)))
        try require(end <= file.size)
        var remaining = chunkLimit
        var features: (offset: Int64, flags: UInt8)?
        var (hasImage, hasExif) = (false, false)
        for chunk in try await chunks(in: 12..<end, &remaining, &file) {
            changes.zero(chunk.data.upperBound..<chunk.end)
            switch chunk.kind {
            case "VP8X":
                try require(chunk.data.count == 10 && features == nil)
                features = (chunk.data.lowerBound, try await file.uint8(at: chunk.data.lowerBound))
            case "VP8 ", "VP8L": hasImage = true
            case "ALPH", "ICCP": break
            case "ANIM": try require(chunk.data.count == 6)
            case "ANMF":
                hasImage = true
                try require(chunk.data.count >= frameHeader)
                let parts = chunk.data.lowerBound + frameHeader..<chunk.data.upperBound
                for part in try await chunks(in: parts, &remaining, &file) {
                    changes.zero(part.data.upperBound..<part.end)
                    if !["ALPH", "VP8 ", "VP8L"].contains(part.kind) { remove(part, &changes) }
                }
            case "EXIF" where !hasExif && chunk.data.count <= ExifRemoval.limit:
                hasExif = try await cleanExif(chunk, &file, &changes)
            default: remove(chunk, &changes)
            }
        }
        try require(hasImage)
        if let (offset, flags) = features {
            changes.replace(at: offset, with: [flags & ~xmpFlag & ~(hasExif ? 0 : exifFlag)])
        }
        changes.zero(end..<file.size)
    }

    /// Returns the chunks that fill a range exactly.
    private static func chunks(
        in range: Range<Int64>, _ remaining: inout Int, _ file: inout RemovalReader
    ) async throws -> [Chunk] {
        var chunks: [Chunk] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            remaining -= 1
            let head = try await file.window(at: offset, count: 8)
            let kind = try known(head.uint32(at: 0, .big))
            // Letters, digits or spaces: anything else is not a chunk.
            try require(remaining >= 0 && [24, 16, 8, 0].allSatisfy { (0x20...0x7e).contains(kind >> $0 & 0xff) })
            let length = Int64(try known(head.uint32(at: 4, .little)))
            let end = min(offset + 8 + length + length % 2, range.upperBound)
            // Only the padding of the last chunk may be missing.
            try require(offset + 8 + length <= range.upperBound)
            chunks.append(
                Chunk(kind: BoxKind(number: kind), offset: offset, data: offset + 8..<offset + 8 + length, end: end))
            offset = end
        }
        return chunks
    }

    private static func remove(_ chunk: Chunk, _ changes: inout RemovalChanges) {
        changes.replace(at: chunk.offset, with: "JUNK")
        changes.zero(chunk.data)
    }

    /// Returns whether anything remains.
    private static func cleanExif(
        _ chunk: Chunk, _ file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws -> Bool {
        let old = Array(try await file.contents(of: chunk.data, limit: ExifRemoval.limit).readableBytesView)
        // Some programs write the prefix of JPEG's segments.
        let prefix: [UInt8] = old.starts(with: Array("Exif".utf8) + [0, 0]) ? Array(old.prefix(6)) : []
        let new = ExifRemoval.clean(Array(old.dropFirst(prefix.count)))
        guard new.contains(where: { $0 != 0 }) else {
            remove(chunk, &changes)
            return false
        }
        changes.replace(old, with: prefix + new, at: chunk.data.lowerBound)
        return true
    }
}
