import Foundation

/// The content of an upload.
public enum UploadKind: String, Codable, Sendable, CaseIterable {
    /// A photo or video.
    case photo
    /// The thumbnail of a photo or video.
    case thumbnail
    /// The preview of a photo or video.
    case preview
}

/// Body of `POST /uploads`: the exact bytes to upload.
public struct UploadRequest: Codable, Sendable, Equatable {
    /// The largest photo or video that can be reserved, in bytes: the maximum size of a single PUT.
    public static let maximumPhotoSize: Int64 = 5 << 30
    /// The largest thumbnail, in bytes.
    public static let maximumThumbnailSize: Int64 = 256 << 10
    /// The largest preview, in bytes.
    public static let maximumPreviewSize: Int64 = 4 << 20

    /// Returns how long an upload may take, in seconds: 30 seconds plus the transfer time at 32 KiB per second. The
    /// quota stays reserved for this time, and clients abort the upload after it.
    public static func maximumDuration(of size: Int64) -> TimeInterval { 30 + Double(size) / 32_768 }

    /// The MD5 of the bytes as 32 lower-case hex digits.
    public let md5: String
    /// The number of bytes, 1 or more.
    public let size: Int64
    /// The content of the upload.
    public let kind: UploadKind
    /// For a thumbnail or preview: the MD5 of its photo.
    public let photo: String?
    /// The content type to store for a photo, such as `image/jpeg`. The default is `application/octet-stream`;
    /// thumbnails and previews are always `image/jpeg`.
    public let contentType: String?

    /// Creates an upload request.
    public init(md5: String, size: Int64, kind: UploadKind, photo: String? = nil, contentType: String? = nil) {
        self.md5 = md5
        self.size = size
        self.kind = kind
        self.photo = photo
        self.contentType = contentType
    }
}

/// A presigned PUT for exactly the requested bytes, with quota reserved for them.
public struct ReservedUpload: Codable, Sendable, Equatable {
    /// The address for the PUT.
    public let url: String
    /// The header fields to send unchanged with the PUT.
    public let headers: [String: String]
    /// The latest time at which the upload may start.
    public let expiresAt: Date

    /// Creates a reserved upload.
    public init(url: String, headers: [String: String], expiresAt: Date) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
    }
}

/// Body of `POST /uploads/batch`: 1 to 500 uploads.
public struct UploadRequests: Codable, Sendable, Equatable {
    /// The maximum number of uploads in one request.
    public static let maximum = 500
    /// The validity of the addresses unless the request names one, in seconds.
    public static let defaultLifetime = 300
    /// The longest validity that a request can name, in seconds: a week.
    public static let maximumLifetime = 604_800

    /// The uploads to reserve.
    public let uploads: [UploadRequest]
    /// How long the addresses should be valid, in seconds, for uploads that the system starts later; 300 by default. The
    /// addresses may end earlier, see `ReservedUpload.expiresAt`.
    public let lifetime: Int?

    /// Creates a request.
    public init(uploads: [UploadRequest], lifetime: Int? = nil) {
        self.uploads = uploads
        self.lifetime = lifetime
    }
}

/// Response body of `POST /uploads/batch`.
public struct ReservedUploads: Codable, Sendable, Equatable {
    /// The reserved uploads in the order of the request; `null` for each upload without quota headroom.
    public let uploads: [ReservedUpload?]
    /// The number of bytes that are stored or reserved for uploads; omitted if all uploads were reserved.
    public let storageUsed: Int64?
    /// The number of bytes that the tier allows.
    public let storageLimit: Int64

    /// Creates a response.
    public init(uploads: [ReservedUpload?], storageUsed: Int64? = nil, storageLimit: Int64) {
        self.uploads = uploads
        self.storageUsed = storageUsed
        self.storageLimit = storageLimit
    }
}
