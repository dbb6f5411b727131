import CZlib
import NIOCore

/// Decompresses Deflate data piece by piece.
struct Inflater: ~Copyable {
    private let inflater: OpaquePointer
    private(set) var isOver = false

    /// Returns `nil` if there is no memory.
    init?() {
        guard let created = photolala_inflater_create() else { return nil }
        inflater = created
    }

    deinit { photolala_inflater_destroy(inflater) }

    /// Appends decompressed bytes to a buffer, at most as many as are wanted.
    /// - Parameter source: Its read bytes are consumed.
    /// - Returns: `false` if the data is damaged.
    mutating func inflate(_ source: inout ByteBuffer, into target: inout ByteBuffer, atMost wanted: Int) -> Bool {
        var (consumed, result): (UInt32, Int32) = (0, 0)
        target.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
            source.withUnsafeReadableBytes { bytes in
                var written: UInt32 = 0
                result = photolala_inflate(
                    inflater, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count), &consumed,
                    space.bindMemory(to: UInt8.self).baseAddress, UInt32(min(wanted, space.count)), &written)
                return Int(written)
            }
        }
        source.moveReaderIndex(forwardBy: Int(consumed))
        isOver = result == Int32(PHOTOLALA_INFLATE_END)
        return result != Int32(PHOTOLALA_INFLATE_DAMAGED)
    }
}

/// The CRC-32 of bytes in pieces, as ZIP archives have it.
struct RunningCRC32: Sendable {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { bytes in
            value = photolala_crc32(value, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
        }
    }
}
