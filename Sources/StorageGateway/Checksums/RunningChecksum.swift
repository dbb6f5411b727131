import Crypto
import Foundation
import ObjectStorage

/// A checksum that is updated with bytes as they are read.
enum RunningChecksum: Sendable {
    case narrow(CRC32)
    case wide(CRC64NVME)
    case sha1(Insecure.SHA1)
    case sha256(SHA256)

    init(_ algorithm: ChecksumAlgorithm) {
        switch algorithm {
        case .crc32: self = .narrow(CRC32())
        case .crc32c: self = .narrow(.castagnoli)
        case .crc64nvme: self = .wide(CRC64NVME())
        case .sha1: self = .sha1(Insecure.SHA1())
        case .sha256: self = .sha256(SHA256())
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .narrow(var crc):
            crc.update(bytes)
            self = .narrow(crc)
        case .wide(var crc):
            crc.update(bytes)
            self = .wide(crc)
        case .sha1(var hash):
            hash.update(bufferPointer: bytes)
            self = .sha1(hash)
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            self = .sha256(hash)
        }
    }

    /// The value in S3's format: base64, big-endian.
    var base64: String {
        switch self {
        case .narrow(let crc): withUnsafeBytes(of: crc.value.bigEndian) { Data($0) }.base64EncodedString()
        case .wide(let crc): withUnsafeBytes(of: crc.value.bigEndian) { Data($0) }.base64EncodedString()
        case .sha1(let hash): Data(hash.finalize()).base64EncodedString()
        case .sha256(let hash): Data(hash.finalize()).base64EncodedString()
        }
    }
}
