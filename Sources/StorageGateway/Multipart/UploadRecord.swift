import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// What is kept of an unfinished multipart upload, beside its parts. The caller's id is part of the keys, so an upload
/// of somebody else does not exist for anyone but its owner.
struct UploadRecord: Codable, Sendable {
    let key: String
    let attributes: ObjectAttributes
    let initiated: Date
    /// The checksum that was chosen for parts and object; `nil` where none was, and in records of earlier versions.
    let checksum: UploadChecksum?
    /// The object's tag, once the upload was completed: a client that lost the answer asks again and gets the same.
    var completedETag: String?
    var completedChecksum: ContentChecksum?

    /// Prefix of all of a user's uploads.
    static func prefix(_ user: UserID) -> String { StorageLayout.uploads(user) }

    /// Prefix of one upload. The id must be of the form that this endpoint gives out.
    static func prefix(_ user: UserID, _ id: String) -> String { "\(prefix(user))\(id)/" }

    /// The record itself; its name comes behind those of the parts.
    static func key(_ user: UserID, _ id: String) -> ObjectKey { ObjectKey(known: "\(prefix(user, id))upload.json") }

    /// One part, numbered so that a listing is in order.
    static func part(_ user: UserID, _ id: String, _ number: Int) -> ObjectKey {
        let digits = String(number)
        return ObjectKey(
            known: "\(prefix(user, id))\(String(repeating: "0", count: max(0, 5 - digits.count)))\(digits).part")
    }

    /// Beginnings of the keys of all parts of an upload, and of nothing else: their numbers have five digits up to 10,000.
    static func partPrefixes(_ user: UserID, _ id: String) -> [String] { ["0", "1"].map { prefix(user, id) + $0 } }

    /// The number in a part's key, `nil` for the record.
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

    /// An id for a new upload: its time in milliseconds and 10 random bytes, so that ids of one key sort as S3 lists them.
    static func newID(at date: Date, _ randomness: Randomness) -> String {
        let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
        let time = withUnsafeBytes(of: milliseconds.bigEndian) { Array($0.suffix(6)) }
        return Hex.encode(time + randomness.bytes(10))
    }

    init(_ bytes: ByteBuffer) throws {
        self = try JSONDecoder().decode(UploadRecord.self, from: Data(bytes.readableBytesView))
    }
}
