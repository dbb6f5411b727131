import NIOCore

/// Plans the changes to a GIF file. Comments become zeros in blocks of the same lengths.
enum GIFRemoval {
    private static let applications = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]
    /// Bounds the time for a file of the smallest blocks.
    private static let blockLimit = 1 << 19

    static func plan(_ file: inout RemovalReader, _ changes: inout RemovalChanges) async throws {
        let head = try await file.window(at: 0, count: 13)
        try require(head.has("GIF87a") || head.has("GIF89a"))
        var offset = 13 + colors(try known(head.uint8(at: 10)))
        var hasImage = false
        var remaining = blockLimit
        while true {
            try spend(&remaining)
            switch try await file.uint8(at: offset) {
            case 0x21: try await planExtension(at: &offset, &remaining, &file, &changes)
            case 0x2c:
                let flags = try await file.uint8(at: offset + 9)
                // A table of colors and the size of codes follow.
                offset += 10 + colors(flags) + 1
                try await skipBlocks(at: &offset, &remaining, &file)
                hasImage = true
            case 0x3b:
                try require(hasImage)
                changes.zero(offset + 1..<file.size)
                return
            default: throw UnknownStructure()
            }
        }
    }

    private static func spend(_ remaining: inout Int) throws {
        remaining -= 1
        try require(remaining >= 0)
    }

    private static func planExtension(
        at offset: inout Int64, _ remaining: inout Int, _ file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws {
        let label = try await file.uint8(at: offset + 1)
        let length = Int64(try await file.uint8(at: offset + 2))
        switch label {
        // How a frame is shown.
        case 0xf9:
            try require(length == 4)
            try require(try await file.uint8(at: offset + 7) == 0)
            offset += 8
        case 0xfe:
            offset += 2
            try await skipBlocks(at: &offset, &remaining, &file) { changes.zero($0) }
        case 0xff:
            try require(length == 11)
            let name = try await file.window(at: offset + 3, count: 11)
            guard let index = applications.firstIndex(where: { name.has($0) }) else { throw UnknownStructure() }
            offset += 14
            // The number of repetitions and the size of a buffer need at most five bytes.
            let limit = index < 2 ? 5 : 255
            var isShort = true
            try await skipBlocks(at: &offset, &remaining, &file) { isShort = isShort && $0.count <= limit }
            try require(isShort)
        default: throw UnknownStructure()
        }
    }

    private static func skipBlocks(
        at offset: inout Int64, _ remaining: inout Int, _ file: inout RemovalReader,
        _ body: (Range<Int64>) -> Void = { _ in }
    ) async throws {
        while true {
            try spend(&remaining)
            let length = Int64(try await file.uint8(at: offset))
            offset += 1
            guard length > 0 else { return }
            body(offset..<offset + length)
            offset += length
        }
    }

    /// The length of the table of colors that flags announce.
    private static func colors(_ flags: UInt8) -> Int64 { flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1) }
}
