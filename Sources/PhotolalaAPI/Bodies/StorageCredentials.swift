import Foundation

/// Temporary S3 credentials for the user's own prefixes.
public struct StorageCredentials: Codable, Sendable, Equatable {
    /// The access key ID.
    public let accessKeyID: String
    /// The secret access key.
    public let secretAccessKey: String
    /// The session token, of arbitrary length.
    public let sessionToken: String
    /// When the credentials expire: at most one hour after they were issued, and never after the session.
    public let expiration: Date
    /// The base address for S3 requests, path-style: `https://host[:port]`.
    public let endpoint: String
    /// The region for request signatures.
    public let region: String
    /// The bucket.
    public let bucket: String
    /// The accessible prefixes, each ending in `/`.
    public let prefixes: [String]
    /// The access level of the credentials.
    public let access: StorageAccessLevel
    /// How photos and thumbnails are uploaded; omitted if these credentials can write them directly.
    public let uploads: UploadMethod?
    /// `true` if these credentials cannot write anything, not even the catalog and the profile: the account is over its
    /// quota, and its catalogs and profile have used up their allowance. Omitted otherwise.
    public let recordWritesWithheld: Bool?

    /// Creates credentials.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String, expiration: Date, endpoint: String,
        region: String, bucket: String, prefixes: [String], access: StorageAccessLevel,
        uploads: UploadMethod? = nil, recordWritesWithheld: Bool? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.prefixes = prefixes
        self.access = access
        self.uploads = uploads
        self.recordWritesWithheld = recordWritesWithheld
    }

    /// A copy of the credentials for a deployment that reserves uploads.
    public var reservingUploads: StorageCredentials { copy(uploads: .reserved, recordWritesWithheld) }

    /// A copy of the credentials that cannot write even the catalog and the profile.
    public var withholdingRecordWrites: StorageCredentials { copy(uploads: uploads, true) }

    private func copy(uploads: UploadMethod?, _ recordWritesWithheld: Bool?) -> StorageCredentials {
        StorageCredentials(
            accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
            expiration: expiration, endpoint: endpoint, region: region, bucket: bucket, prefixes: prefixes,
            access: access, uploads: uploads, recordWritesWithheld: recordWritesWithheld)
    }
}

/// How photos and thumbnails are uploaded. The set may grow.
public struct UploadMethod: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, in snake case.
    public let rawValue: String
    /// Creates an upload method from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Uploads are possible only through `POST /uploads`, which reserves quota for them.
    public static let reserved = UploadMethod(rawValue: "reserved")
}
