import Crypto
import Foundation
import NIOCore

/// The MD5 of a file's bytes, written as 32 lower-case hex digits, under which its content is stored.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    /// The first and the last eight bytes, as big-endian numbers, so that numbers sort like the text form.
    let high, low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns `nil` for anything but 32 lower-case hex digits.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let digest = text.withUTF8({ ContentDigest(utf8: $0) }) else { return nil }
        self = digest
    }

    /// Parses the text form from its bytes.
    init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard utf8.count == 32, let high = Self.number(utf8, from: 0), let low = Self.number(utf8, from: 16) else {
            return nil
        }
        self.init(high: high, low: low)
    }

    package init(_ digest: Insecure.MD5Digest) {
        let (high, low) = digest.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// Computes the digest of bytes in memory.
    package init(of bytes: ByteBuffer) {
        var hasher = Insecure.MD5()
        hasher.update(bytes)
        self.init(hasher.finalize())
    }

    package var description: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            write(to: digits)
            return 32
        }
    }

    /// Writes the 32 digits to the beginning of a buffer that is large enough.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
        for (offset, number) in [(0, high), (16, low)] {
            for digit in 0..<16 {
                let value = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * digit)) & 15
                digits[offset + digit] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
        }
    }

    private static func number(_ digits: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64? {
        var number: UInt64 = 0
        for index in start..<start + 16 {
            let byte = digits[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte & 15)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}

extension ContentDigest: Comparable {
    package static func < (left: ContentDigest, right: ContentDigest) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension Insecure.MD5 {
    package mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { update(bufferPointer: $0) }
    }
}

extension ContentDigest {
    /// The digest's 16 bytes in base64, as in the `Content-MD5` header (RFC 1864).
    package var base64: String {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0).base64EncodedString() }
    }
}
