import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The record of an unfinished multipart upload, stored with its parts. The keys contain the owner's id, so an upload
/// is visible only to its owner.
struct UploadRecord: Codable, Sendable {
    let key: String
    let attributes: ObjectAttributes
    let initiated: Date
    /// The selected checksum; `nil` if there is none, and in records of earlier versions.
    let checksum: UploadChecksum?
    /// The object's ETag once the upload is completed: a client that lost the response retries and gets the same one.
    var completedETag: String?
    var completedChecksum: ContentChecksum?

    /// Returns the prefix of all uploads of a user.
    static func prefix(_ user: UserID) -> String { StorageLayout.uploads(user) }

    /// Returns the prefix of one upload. The id must have the format that this endpoint generates.
    static func prefix(_ user: UserID, _ id: String) -> String { "\(prefix(user))\(id)/" }

    /// Returns the key of the record, which sorts after those of the parts.
    static func key(_ user: UserID, _ id: String) -> ObjectKey { ObjectKey(known: "\(prefix(user, id))upload.json") }

    /// Returns the key of a part, numbered so that a listing is in order.
    static func part(_ user: UserID, _ id: String, _ number: Int) -> ObjectKey {
        let digits = String(number)
        return ObjectKey(
            known: "\(prefix(user, id))\(String(repeating: "0", count: max(0, 5 - digits.count)))\(digits).part")
    }

    /// Returns prefixes that match the keys of all parts of an upload and nothing else: part numbers up to 10,000
    /// have five digits.
    static func partPrefixes(_ user: UserID, _ id: String) -> [String] { ["0", "1"].map { prefix(user, id) + $0 } }

    /// Returns the number in a part's key; `nil` for the record.
    static func number(of key: ObjectKey) -> Int? {
        let name = key.description.split(separator: "/").last ?? ""
        return name.hasSuffix(".part") ? Int(name.dropLast(5)) : nil
    }

    func encoded() throws -> ByteBuffer { ByteBuffer(bytes: try JSONEncoder().encode(self)) }

    init(key: String, attributes: ObjectAttributes, initiated: Date, checksum: UploadChecksum?) {
        self.key = key
        self.attributes = attributes
        self.initiated = initiated
        self.checksum = checksum
    }

    /// Creates an upload id: the time in milliseconds and 10 random bytes, so that ids of one key sort as in S3
    /// listings.
    static func newID(at date: Date, _ randomness: Randomness) -> String {
        let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
        let time = withUnsafeBytes(of: milliseconds.bigEndian) { Array($0.suffix(6)) }
        return Hex.encode(time + randomness.bytes(10))
    }

    init(_ bytes: ByteBuffer) throws {
        self = try JSONDecoder().decode(UploadRecord.self, from: Data(bytes.readableBytesView))
    }
}
