import Foundation
import Testing

@testable import StorageGateway

struct ChecksumTests {
    @Test(
        "each algorithm matches its published check value for 123456789",
        arguments: [
            (ChecksumAlgorithm.crc32, "cbf43926"), (.crc32c, "e3069283"), (.crc64nvme, "ae8b14860a799888"),
            (.sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
            (.sha256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"),
        ])
    func published(_ algorithm: ChecksumAlgorithm, _ hex: String) throws {
        var checksum = RunningChecksum(algorithm)
        Data("123456789".utf8).withUnsafeBytes { checksum.update($0) }
        let bytes = try #require(Data(base64Encoded: checksum.base64))
        #expect(bytes.map { String(format: "%02x", $0) }.joined() == hex)
        #expect(bytes.count == algorithm.size)
        #expect(algorithm.isWellFormed(checksum.base64))
    }

    @Test("bytes in pieces have the same checksum as bytes at once", arguments: ChecksumAlgorithm.allCases)
    func pieces(_ algorithm: ChecksumAlgorithm) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) }
        var whole = RunningChecksum(algorithm)
        bytes.withUnsafeBytes { whole.update($0) }
        var pieces = RunningChecksum(algorithm)
        var left = bytes[...]
        for length in 0... where !left.isEmpty {
            Array(left.prefix(length)).withUnsafeBytes { pieces.update($0) }
            left = left.dropFirst(length)
            if left.isEmpty { break }
        }
        #expect(pieces.base64 == whole.base64)
    }
}
