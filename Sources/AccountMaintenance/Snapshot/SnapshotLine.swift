import Foundation
import NIOCore
import PhotolalaAPI

/// One line of a snapshot file, with exactly one of these members; `docs/snapshot-format.md` explains each.
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
        /// SHA-256 of the body, in hex.
        let sha256: String
        let body: Data
    }

    /// The last line.
    struct Seal: Codable, Sendable, Equatable {
        /// The id of the master key used for the code.
        let keyID: String
        /// SHA-256 of all bytes before this line, in hex.
        let sha256: String
        /// HMAC-SHA256 of the hex digits of `sha256`.
        let code: Data
    }

    /// The longest line that is read, in bytes: an object of 1 MiB in base64 with its key.
    static let maximumLength = 2 << 20

    /// Decodes a line; returns `nil` for a malformed one.
    static func decode(_ bytes: ByteBuffer) -> SnapshotLine? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(SnapshotLine.self, from: Data(bytes.readableBytesView))
    }

    /// Encodes the line with its line feed.
    func encoded() throws(SnapshotError) -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let encoded = try? encoder.encode(self) else { throw .file("snapshot line encoding failed") }
        var bytes = ByteBuffer(bytes: encoded)
        bytes.writeString("\n")
        return bytes
    }
}

/// The contents of a snapshot.
package struct SnapshotSummary: Codable, Sendable, Equatable {
    package var objects = 0
    package var accounts = 0
    package var claims = 0
    package var hints = 0
    /// Omitted: objects that could not be read, and accounts without their document.
    package var unreadable = 0
    /// The ids of the master keys that its objects use, sorted.
    package var keyIDs: [String] = []
    package let startedAt: Date
    package var finishedAt: Date
}

/// A recovered snapshot.
package struct RecoveredSnapshot: Sendable, Equatable {
    package let summary: SnapshotSummary
    /// The number of deleted accounts that a copy of the erasure ledger added.
    package var addedDeletions = 0
    /// The recovered accounts that were deleted before; their erasure is scheduled again.
    package var deletedAgain: [UserID] = []
}
