import NIOCore

/// Plans the changes to a JPEG file (ITU T.81 annex B). The whole file is read, to find its real end.
enum JPEGRemoval {
    private enum Marker {
        static let start: UInt8 = 0xd8
        static let end: UInt8 = 0xd9
        static let scan: UInt8 = 0xda
        static let quantization: UInt8 = 0xdb
        static let huffman: UInt8 = 0xc4
        static let arithmetic: UInt8 = 0xcc
    }

    /// Bounds the time for a file of the smallest segments.
    private static let segmentLimit = 1 << 14

    private static let exif: [UInt8] = Array("Exif".utf8) + [0, 0]

    static func plan(_ file: inout RemovalReader, _ changes: inout RemovalChanges) async throws {
        try require(try await file.window(at: 0, count: 2).has([0xff, Marker.start]))
        var offset: Int64 = 2
        var (hasFrame, hasScan, hasExif) = (false, false, false)
        for _ in 0..<segmentLimit {
            let marker = try await marker(from: &offset, &file, &changes)
            switch marker {
            case 0x01, 0xd0...0xd7: continue
            case Marker.end:
                try require(hasFrame && hasScan)
                changes.zero(offset..<file.size)
                return
            default: break
            }
            let length = try known(try await file.window(at: offset, count: 2).uint16(at: 0, .big))
            try require(length >= 2)
            let payload = offset + 2..<offset + Int64(length)
            let bytes = try await file.window(at: payload.lowerBound, count: payload.count)
            offset = payload.upperBound
            switch marker {
            // A file has one EXIF block; cleaning many would take long.
            case 0xe1 where hasExif: changes.zero(payload)
            case 0xe0...0xef, 0xfe:
                hasExif = hasExif || marker == 0xe1 && bytes.has(exif)
                clean(marker, bytes, at: payload, &changes)
            case Marker.scan:
                try require(hasFrame && bytes.count == 4 + 2 * Int(try known(bytes.uint8(at: 0))))
                hasScan = true
                offset = try await end(ofScanAt: offset, &file)
            default:
                try require(isTable(marker, bytes))
                hasFrame = hasFrame || isFrame(marker)
            }
        }
        throw UnknownStructure()
    }

    /// Returns the next marker and moves behind it. Bytes between segments, which decoders ignore, become zeros.
    private static func marker(
        from offset: inout Int64, _ file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws -> UInt8 {
        let start = offset
        // The offset of the fill bytes before a marker, which remain.
        var fill: Int64?
        while true {
            let piece = try await file.piece(at: offset)
            for byte in piece.readableBytesView {
                offset += 1
                if byte == 0xff {
                    fill = fill ?? offset - 1
                } else if let end = fill, byte != 0 {
                    changes.zero(start..<end)
                    return byte
                } else {
                    fill = nil
                }
            }
        }
    }

    /// Returns the offset of the marker that ends a scan's entropy-coded data.
    private static func end(ofScanAt offset: Int64, _ file: inout RemovalReader) async throws -> Int64 {
        var offset = offset
        var isAfterFF = false
        while true {
            let piece = try await file.piece(at: offset)
            var index: Int64 = 0
            for byte in piece.readableBytesView {
                if byte == 0xff {
                    isAfterFF = true
                } else if isAfterFF {
                    guard byte == 0 || (0xd0...0xd7).contains(byte) else { return offset + index - 1 }
                    isAfterFF = false
                }
                index += 1
            }
            offset += index
        }
    }

    private static func clean(
        _ marker: UInt8, _ payload: ByteWindow, at range: Range<Int64>, _ changes: inout RemovalChanges
    ) {
        // The length of the beginning that remains.
        var kept = 0
        switch marker {
        // The thumbnail is removed, and its size, which the header has at 12 and 13, becomes zero.
        case 0xe0 where payload.has(Array("JFIF".utf8) + [0]): kept = 12
        case 0xe1 where payload.has(exif):
            let block = Array(payload.array.dropFirst(exif.count))
            changes.replace(block, with: ExifRemoval.clean(block), at: range.lowerBound + Int64(exif.count))
            return
        case 0xe2 where payload.has(Array("ICC_PROFILE".utf8) + [0]):
            kept = payload.count
            // A profile in one segment begins with its length.
            if payload.uint16(at: 12, .big) == 0x0101, let length = payload.uint32(at: 14, .big) {
                kept = min(kept, 14 + Int(length))
            }
        case 0xee where payload.has("Adobe"): kept = 12
        default: break
        }
        changes.zero(range.lowerBound + Int64(min(kept, payload.count))..<range.upperBound)
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![Marker.huffman, 0xc8, Marker.arithmetic].contains(marker)
    }

    /// Whether a segment that decoders need has the length that its contents require: a longer one may contain
    /// anything.
    private static func isTable(_ marker: UInt8, _ payload: ByteWindow) -> Bool {
        switch marker {
        case _ where isFrame(marker): payload.uint8(at: 5).map { payload.count == 6 + 3 * Int($0) } ?? false
        case 0xdc, 0xdd: payload.count == 2
        case Marker.arithmetic: payload.count <= 64 && payload.count % 2 == 0
        case Marker.quantization: hasTables(payload) { $0.uint8(at: $1).map { $0 < 16 ? 65 : 129 } }
        case Marker.huffman:
            hasTables(payload) { payload, offset in
                (1...16).reduce(17) { sum, index in
                    sum.flatMap { sum in payload.uint8(at: offset + index).map { sum + Int($0) } }
                }
            }
        default: false
        }
    }

    private static func hasTables(_ payload: ByteWindow, length: (ByteWindow, Int) -> Int?) -> Bool {
        var offset = 0
        while offset < payload.count {
            guard let length = length(payload, offset) else { return false }
            offset += length
        }
        return offset == payload.count
    }
}
