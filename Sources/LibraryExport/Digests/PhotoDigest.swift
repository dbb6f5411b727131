import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog

/// The digests of a photo's bytes, as they are in an export.
package struct PhotoDigest: Sendable, Equatable {
    package let crc32: UInt32
    /// 32 bytes.
    package let sha256: Data
    /// Whether the bytes are not those that the catalog describes.
    package let isDamaged: Bool

    /// The size of the stored form in bytes.
    static let storedSize = 37
    /// The number of photos whose digests are stored together.
    package static let blockSize = 256

    package init(crc32: UInt32, sha256: Data, isDamaged: Bool) {
        (self.crc32, self.sha256, self.isDamaged) = (crc32, sha256, isDamaged)
    }

    /// Returns `nil` for the stored form of unknown digests.
    init?(stored bytes: inout ByteBuffer) {
        guard let flag: UInt8 = bytes.readInteger(), let crc32: UInt32 = bytes.readInteger(),
            let sha256 = bytes.readBytes(length: 32), flag <= 1
        else { return nil }
        self.init(crc32: crc32, sha256: Data(sha256), isDamaged: flag == 1)
    }

    /// Returns the stored form of the digests of a block, of which some may be unknown.
    package static func stored(_ digests: some Collection<PhotoDigest?>) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(digests.count * storedSize)
        for digest in digests {
            bytes.writeInteger(digest.map { $0.isDamaged ? UInt8(1) : 0 } ?? unknownFlag)
            bytes.writeInteger(digest?.crc32 ?? 0)
            if let digest { bytes.writeBytes(digest.sha256) } else { bytes.writeRepeatingByte(0, count: 32) }
        }
        return bytes
    }

    private static let unknownFlag: UInt8 = 2
}

/// Computes a photo's digests from its bytes.
package struct PhotoHasher {
    private var crc = CRC32()
    private var sha256 = SHA256()
    private var md5 = Insecure.MD5()

    package init() {}

    package mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { bytes in
            crc.update(bytes)
            sha256.update(bufferPointer: bytes)
            md5.update(bufferPointer: bytes)
        }
    }

    /// Returns the digests of all bytes; they are damaged if their MD5 is not the expected one.
    package func digest(expecting expected: ContentDigest) -> PhotoDigest {
        PhotoDigest(
            crc32: crc.value, sha256: Data(sha256.finalize()),
            isDamaged: ContentDigest(md5.finalize()) != expected)
    }
}

extension ExportFile {
    func zipEntry(at time: Timestamp) -> ZipEntry {
        ZipEntry(name: path, size: Int64(bytes.readableBytes), modified: time, isExecutable: isExecutable)
    }

    /// The CRC-32 of its bytes.
    package var crc32: UInt32 {
        var crc = CRC32()
        bytes.withUnsafeReadableBytes { crc.update($0) }
        return crc.value
    }

    var sha256: Data { bytes.withUnsafeReadableBytes { Data(SHA256.hash(data: $0)) } }
}
