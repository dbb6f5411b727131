import Foundation
import NIOCore

/// One line of a snapshot's file, which has one of these; `docs/snapshot-format.md` explains each.
struct SnapshotLine: Codable, Sendable, Equatable {
    var header: Header?
    var object: Object?
    var summary: SnapshotSummary?
    var seal: Seal?

    /// The first line.
    struct Header: Codable, Sendable, Equatable {
        let version: Int
        let startedAt: Date

        static let currentVersion = 1
    }

    /// One object of the store.
    struct Object: Codable, Sendable, Equatable {
        let key: String
        /// Of the body, in hex.
        let sha256: String
        let body: Data
    }

    /// The last line.
    struct Seal: Codable, Sendable, Equatable {
        /// The master key of the code.
        let keyID: String
        /// Of all bytes before this line, in hex.
        let sha256: String
        /// HMAC-SHA256 of the hex digits of `sha256`.
        let code: Data
    }

    /// The longest line that is read, in bytes: an object of 1 MiB in base64 with its key.
    static let longest = 2 << 20

    /// Gives `nil` for what is no line.
    static func read(_ bytes: ByteBuffer) -> SnapshotLine? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(SnapshotLine.self, from: Data(bytes.readableBytesView))
    }

    /// The line with its line end.
    func bytes() throws(SnapshotError) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let encoded = try? encoder.encode(self) else { throw .file("a line cannot be encoded") }
        var bytes = ByteBuffer(bytes: encoded)
        bytes.writeString("\n")
        return bytes
    }
}

/// What a snapshot holds.
package struct SnapshotSummary: Codable, Sendable, Equatable {
    package var objects = 0
    package var accounts = 0
    package var claims = 0
    package var hints = 0
    /// Objects that could not be read, and accounts without their document; they are left out.
    package var unreadable = 0
    /// The master keys that its objects name, in order.
    package var keyIDs: [String] = []
    package let startedAt: Date
    package var finishedAt: Date
}
