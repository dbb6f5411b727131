import NIOCore
import ObjectStorage

/// Plans the changes to a PNG file. The whole file is read, because only its checksums show that the length of a chunk
/// is right: a wrong one may hide others.
enum PNGRemoval {
    /// Bounds the time for a file of the smallest chunks.
    private static let chunkLimit = 1 << 15
    /// The maximum number of bytes whose checksum is computed as zeros.
    private static let removedLimit: Int64 = 16 << 20
    /// An ancillary, private type, which decoders ignore.
    private static let removedType = "zeRo"

    /// The maximum length of the chunks that remain.
    private static let kept: [BoxKind: Int] = [
        "IHDR": 13, "PLTE": 768, "IDAT": .max, "IEND": 0, "gAMA": 4, "cHRM": 32, "sRGB": 1, "iCCP": .max, "cICP": 4,
        "mDCV": 24, "cLLI": 8, "sBIT": 4, "bKGD": 6, "pHYs": 9, "tRNS": 256, "acTL": 8, "fcTL": 26, "fdAT": .max,
        "hIST": 512,
    ]

    static func plan(_ file: inout RemovalReader, _ changes: inout RemovalChanges) async throws {
        try require(try await file.window(at: 0, count: 8).has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
        var offset: Int64 = 8
        var removed: Int64 = 0
        var hasExif = false
        for index in 0..<chunkLimit {
            let head = try await file.window(at: offset, count: 8)
            let length = Int64(try known(head.uint32(at: 0, .big)))
            let kind = BoxKind(number: try known(head.uint32(at: 4, .big)))
            let data = offset + 8..<offset + 8 + length
            try require(length <= Int64(Int32.max) && data.upperBound <= file.size - 4)
            try require((index == 0) == (kind == "IHDR"))
            if let limit = kept[kind], length <= limit {
                var checksum = CRC32()
                try await checksum.add(offset + 4..<data.upperBound, of: &file)
                try require(
                    try await file.window(at: data.upperBound, count: 4).uint32(at: 0, .big) == checksum.value)
            } else if kind == "eXIf", !hasExif, length <= ExifRemoval.limit {
                hasExif = true
                try await cleanExif(in: data, &file, &changes)
            } else {
                // A chunk that a decoder must know has a capital first letter.
                try require(kind.number >> 24 & 0x20 != 0)
                removed += length
                try require(removed <= removedLimit)
                var checksum = CRC32()
                checksum.add(Array(removedType.utf8))
                checksum.addZeros(Int(length))
                changes.replace(at: offset + 4, with: removedType)
                changes.zero(data)
                changes.replace(at: data.upperBound, with: checksum.bytes)
            }
            offset = data.upperBound + 4
            if kind == "IEND" {
                changes.zero(offset..<file.size)
                return
            }
        }
        throw UnknownStructure()
    }

    private static func cleanExif(
        in data: Range<Int64>, _ file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws {
        let block = try await file.contents(of: data, limit: ExifRemoval.limit)
        let old = Array(block.readableBytesView)
        let new = ExifRemoval.clean(old)
        let isEmpty = new.allSatisfy { $0 == 0 }
        let type = isEmpty ? removedType : "eXIf"
        var checksum = CRC32()
        checksum.add(Array(type.utf8))
        checksum.add(new)
        if isEmpty { changes.replace(at: data.lowerBound - 4, with: type) }
        changes.replace(old, with: new, at: data.lowerBound)
        changes.replace(at: data.upperBound, with: checksum.bytes)
    }
}

extension CRC32 {
    /// The checksum as PNG stores it.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    mutating func addZeros(_ count: Int) {
        let zeros = [UInt8](repeating: 0, count: min(count, 1 << 16))
        var remaining = count
        while remaining > 0 {
            zeros.withUnsafeBytes { update(UnsafeRawBufferPointer(rebasing: $0.prefix(remaining))) }
            remaining -= zeros.count
        }
    }

    mutating func add(_ range: Range<Int64>, of file: inout RemovalReader) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try await file.piece(at: offset)
            let count = Int(min(Int64(piece.readableBytes), range.upperBound - offset))
            piece.withUnsafeReadableBytes { update(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            offset += Int64(count)
        }
    }
}
