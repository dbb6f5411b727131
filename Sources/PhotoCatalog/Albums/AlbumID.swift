import NIOCore

/// The permanent id of an album, random or that of a folder: 16 lower-case hex digits.
package struct AlbumID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let value: UInt64

    /// - Parameter bytes: Eight random bytes.
    init(random bytes: [UInt8]) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Creates the id of the album that is filled from a folder of a library, which is the same on all devices.
    init(of folder: LibraryPath) {
        let digest = ContentDigest(of: ByteBuffer(string: "folder \(folder)")).description
        value = UInt64(digest.prefix(16), radix: 16) ?? 0
    }

    /// Parses the 16 hex digits; returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let isHex = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 16, isHex, let value = UInt64(text, radix: 16) else { return nil }
        self.value = value
    }

    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    package static func < (left: AlbumID, right: AlbumID) -> Bool { left.value < right.value }
}
