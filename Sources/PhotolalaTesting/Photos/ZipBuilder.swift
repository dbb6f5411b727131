/// A ZIP archive, built byte by byte, with the faults that a reader must survive.
package struct ZipBuilder {
    /// How a file is stored.
    package enum Storage {
        case stored
        /// As Deflate data, in blocks that are not compressed.
        case deflated
        case encrypted
        case unknownCompression
        /// With the checksum of other bytes.
        case damaged
        /// With sizes of a gigabyte.
        case bomb
    }

    private var files: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    package init() {}

    package mutating func add(_ path: String, _ bytes: [UInt8], _ storage: Storage = .stored) {
        let isDeflated = storage == .deflated || storage == .bomb
        let data = isDeflated ? Self.deflated(bytes) : bytes
        let size = storage == .bomb ? 1 << 30 : bytes.count
        let flags = 1 << 11 | (storage == .encrypted ? 1 : 0)
        let method = isDeflated ? 8 : storage == .unknownCompression ? 12 : 0
        // 2024-01-01 12:00
        let common =
            Self.little(flags, 2) + Self.little(method, 2) + Self.little(0x6000, 2) + Self.little(0x5821, 2)
            + Self.little(Int(Self.crc32(bytes) ^ (storage == .damaged ? 1 : 0)), 4) + Self.little(data.count, 4)
            + Self.little(size, 4) + Self.little(path.utf8.count, 2) + Self.little(0, 2)
        directory += [0x50, 0x4b, 1, 2, 20, 3, 20, 0] + common + [UInt8](repeating: 0, count: 10)
        directory += Self.little(files.count, 4) + Array(path.utf8)
        files += [0x50, 0x4b, 3, 4, 20, 0] + common + Array(path.utf8) + data
        count += 1
    }

    /// The archive; with ZIP64 records if wanted.
    package func bytes(isZip64: Bool = false) -> [UInt8] {
        var end: [UInt8] = []
        if isZip64 {
            end += [0x50, 0x4b, 6, 6] + Self.little(44, 8) + Self.little(45, 2) + Self.little(45, 2)
            end += Self.little(0, 8) + Self.little(count, 8) + Self.little(count, 8)
            end += Self.little(directory.count, 8) + Self.little(files.count, 8)
            end += [0x50, 0x4b, 6, 7] + Self.little(0, 4) + Self.little(files.count + directory.count, 8)
            end += Self.little(1, 4)
        }
        let unknown = 0xffff_ffff
        end += [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + Self.little(isZip64 ? 0xffff : count, 2)
        end += Self.little(isZip64 ? 0xffff : count, 2) + Self.little(isZip64 ? unknown : directory.count, 4)
        end += Self.little(isZip64 ? unknown : files.count, 4) + [0, 0]
        return files + directory + end
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var (data, rest) = ([UInt8](), bytes[...])
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            data += [rest.isEmpty ? 1 : 0] + little(block.count, 2) + little(block.count ^ 0xffff, 2) + block
        } while !rest.isEmpty
        return data
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
    }
}

/// The JSON files of a Takeout.
package enum TakeoutJSON {
    /// The description of a photo.
    /// - Parameter members: Further members, each followed by a comma.
    package static func photo(_ title: String, taken: Int, _ members: String = "") -> [UInt8] {
        Array(#"{"title":"\#(title)",\#(members)"photoTakenTime":{"timestamp":"\#(taken)","formatted":""}}"#.utf8)
    }

    package static func album(_ title: String) -> [UInt8] {
        Array(#"{"title":"\#(title)","description":"","access":"protected","date":{"timestamp":"0"}}"#.utf8)
    }
}
