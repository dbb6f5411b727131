import Crypto
import Foundation
import NIOCore
import Secrets

/// The MD5 of a file's bytes as 32 lower-case hex digits: the name its content is stored under.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Gives `nil` for anything but 32 lower-case hex digits.
    package init?(_ text: some StringProtocol) {
        guard Hex.isLowercase(text, count: 32) else { return nil }
        description = String(text)
    }

    init(_ digest: Insecure.MD5Digest) { description = Hex.encode(digest) }

    /// The digest of bytes in memory.
    package init(of bytes: ByteBuffer) {
        var hasher = Insecure.MD5()
        hasher.update(bytes)
        self.init(hasher.finalize())
    }
}

extension Insecure.MD5 {
    mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { update(bufferPointer: $0) }
    }
}

extension ContentDigest {
    /// The digest's 16 bytes in base64, as the `Content-MD5` header wants them (RFC 1864).
    var base64: String {
        let digits = description.utf8.map { UInt8($0 > UInt8(ascii: "9") ? $0 - UInt8(ascii: "a") + 10 : $0 & 15) }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
            .base64EncodedString()
    }
}
