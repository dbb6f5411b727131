import Foundation
import ObjectStorage
import Testing

@testable import StorageGateway

struct CombinedChecksumTests {
    private func checksum(_ algorithm: ChecksumAlgorithm, _ bytes: some Sequence<UInt8>) -> String {
        var running = RunningChecksum(algorithm)
        Array(bytes).withUnsafeBytes { running.update($0) }
        return running.base64
    }

    @Test(
        "CRCs of pieces of any length combine to the CRC of the whole",
        arguments: [ChecksumAlgorithm.crc32, .crc32c, .crc64nvme])
    func combined(_ algorithm: ChecksumAlgorithm) {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
        for lengths in [[20_000], [0, 20_000], [20_000, 0], [1, 19_999], [7, 0, 8, 9_985, 10_000], [4096, 15_904]] {
            var (left, parts): (ArraySlice<UInt8>, [(value: String, size: Int64)]) = (bytes[...], [])
            for length in lengths {
                parts.append((checksum(algorithm, left.prefix(length)), Int64(length)))
                left = left.dropFirst(length)
            }
            let whole = PartChecksums(algorithm: algorithm, parts: parts).combined(.fullObject)
            #expect(whole == ContentChecksum(algorithm, checksum(algorithm, bytes)), "\(lengths)")
        }
    }

    /// Computed with Python's zlib and hashlib, and with awscrt.
    @Test(
        "combined checksums of two parts match other implementations",
        arguments: [
            (ChecksumAlgorithm.crc32, "r/zBbw==", "APwzsQ==", "JZ3nOw==", "gJQ79w==-2"),
            (.crc32c, "WpuOeg==", "r8FdIg==", "ikUIqA==", "HEMwnA==-2"),
            (.crc64nvme, "PbvLEkWUSgg=", "cV9X7acObTw=", "Naidc2+phk8=", nil),
            (
                .sha1, "YbjWYArJTZEodPVpqTQRIPaAyfg=", "epLz0mNi1lV9VwHed6Y6Ad9h5X8=", nil,
                "UHCq0fKdDAeD+fd4bkbp0wd4Qos=-2"
            ),
            (
                .sha256, "oplo+tLngqqfIECjXwWtuX7Yl56x9XLIyOp4Y34nXzw=", "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg=",
                nil, "CCs1a+1DlLxspT19ARp9eg2ZuO4lvUykB7Orxi45QJg=-2"
            ),
        ] as [(ChecksumAlgorithm, String, String, String?, String?)])
    func vectors(
        _ algorithm: ChecksumAlgorithm, _ first: String, _ second: String, _ full: String?, _ composite: String?
    ) {
        #expect(checksum(algorithm, repeatElement(0x61, count: 5 << 20)) == first)
        #expect(checksum(algorithm, "end".utf8) == second)
        let parts = PartChecksums(algorithm: algorithm, parts: [(first, 5 << 20), (second, 3)])
        #expect(parts.combined(.fullObject)?.value == full)
        #expect(parts.combined(.composite)?.value == composite)
    }

    @Test("a checksum of 10,000 parts of 5 GiB is combined without their bytes")
    func large() {
        let zero = PartChecksums(algorithm: .crc32, parts: Array(repeating: ("AAAAAA==", 5 << 30), count: 10_000))
        #expect(zero.combined(.fullObject)?.value == "AAAAAA==")
    }

    @Test("malformed checksums are not combined")
    func malformed() {
        for value in ["", "!", "AAAAAAA=", "AAAA"] {
            #expect(PartChecksums(algorithm: .crc32, parts: [(value, 1)]).combined(.composite) == nil)
        }
    }

    @Test("a part layout is unchanged after encoding and decoding, and malformed layouts are rejected")
    func layout() throws {
        func info(_ layout: PartLayout, size: Int64) -> ObjectInfo {
            ObjectInfo(etag: ETag("x"), size: size, lastModified: .distantPast, attributes: layout.attributes)
        }
        let equal = PartLayout(sizes: Array(repeating: 5 << 20, count: 9_999) + [7])
        #expect(equal.attributes == ["x-photolala-parts": "9999*5242880,1*7"])
        #expect(PartLayout(info(equal, size: 9_999 * (5 << 20) + 7)) == equal)
        let last: Range<Int64> = 52_423_557_120..<52_423_557_127
        #expect(equal.offsets(of: 10_000) == last)
        #expect(equal.offsets(of: 0) == nil && equal.offsets(of: 10_001) == nil)
        let checked = PartLayout(sizes: [3, 4], checksums: ["a", "b"])
        #expect(PartLayout(info(checked, size: 7)) == checked)
        #expect(PartLayout(info(checked, size: 8)) == nil)
        for text in ["", "1", "1*", "*1", "0*1", "-1*1", "1*-1", "10001*0", "1*3,", "1*3*1"] {
            let attributes = ["x-photolala-parts": text]
            let stored = ObjectInfo(etag: ETag("x"), size: 3, lastModified: .distantPast, attributes: attributes)
            #expect(PartLayout(stored) == nil, "\(text)")
        }
    }
}
