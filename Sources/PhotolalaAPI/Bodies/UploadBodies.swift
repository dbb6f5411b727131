import Foundation

/// What an upload brings.
public enum UploadKind: String, Codable, Sendable, CaseIterable {
    /// A photo or video.
    case photo
    /// The thumbnail of one.
    case thumbnail
}

/// Body of `POST /uploads`: exactly what is to be sent.
public struct UploadRequest: Codable, Sendable, Equatable {
    /// The longest photo or video that can be reserved, in bytes: the longest that one PUT takes.
    public static let longestPhoto: Int64 = 5 << 30
    /// The longest thumbnail, in bytes.
    public static let longestThumbnail: Int64 = 256 << 10

    /// How long an upload may take, in seconds: half a minute, and what its bytes take at 32 KiB a second. Their room is
    /// kept for so long, and clients give up by then.
    public static func longestDuration(of size: Int64) -> TimeInterval { 30 + Double(size) / 32_768 }

    /// MD5 of the bytes, 32 lower-case hex digits.
    public let md5: String
    /// Number of bytes, 1 or more.
    public let size: Int64
    /// What they are.
    public let kind: UploadKind
    /// For a thumbnail: MD5 of the photo that it shows.
    public let photo: String?
    /// What the store is to tell of a photo's bytes, such as `image/jpeg`; otherwise `application/octet-stream`. A
    /// thumbnail is `image/jpeg`.
    public let contentType: String?

    /// Asks for room.
    public init(md5: String, size: Int64, kind: UploadKind, photo: String? = nil, contentType: String? = nil) {
        self.md5 = md5
        self.size = size
        self.kind = kind
        self.photo = photo
        self.contentType = contentType
    }
}

/// A PUT that the store takes for exactly the bytes that were asked for; their room is reserved.
public struct ReservedUpload: Codable, Sendable, Equatable {
    /// Where to send them.
    public let url: String
    /// To be sent with them as they are.
    public let headers: [String: String]
    /// The upload must have begun by then.
    public let expiresAt: Date

    /// Gives an address.
    public init(url: String, headers: [String: String], expiresAt: Date) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
    }
}

/// Body of `POST /uploads/batch`: 1 to 100 uploads.
public struct UploadRequests: Codable, Sendable, Equatable {
    /// How many may come at once.
    public static let maximum = 100

    /// What is to be sent.
    public let uploads: [UploadRequest]

    /// Asks for room.
    public init(uploads: [UploadRequest]) { self.uploads = uploads }
}

/// Answer of `POST /uploads/batch`.
public struct ReservedUploads: Codable, Sendable, Equatable {
    /// In the order of the request; `null` for each that there is no room for.
    public let uploads: [ReservedUpload?]
    /// Bytes that are stored, or kept free for uploads; left out where there was room for all.
    public let storageUsed: Int64?
    /// Bytes that the tier allows.
    public let storageLimit: Int64

    /// Gives addresses.
    public init(uploads: [ReservedUpload?], storageUsed: Int64? = nil, storageLimit: Int64) {
        self.uploads = uploads
        self.storageUsed = storageUsed
        self.storageLimit = storageLimit
    }
}
