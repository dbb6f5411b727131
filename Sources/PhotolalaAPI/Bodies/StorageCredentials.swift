import Foundation

/// Temporary S3 credentials for the user's own prefixes.
public struct StorageCredentials: Codable, Sendable, Equatable {
    /// The access key id.
    public let accessKeyID: String
    /// The secret access key.
    public let secretAccessKey: String
    /// The session token; of any length.
    public let sessionToken: String
    /// When they end: at most an hour after they were issued, never after the session.
    public let expiration: Date
    /// Where to send S3 requests, path-style: `https://host[:port]`.
    public let endpoint: String
    /// The region to sign for.
    public let region: String
    /// The bucket.
    public let bucket: String
    /// The prefixes they open, each ending in `/`.
    public let prefixes: [String]
    /// How far they reach.
    public let access: StorageAccessLevel
    /// How photos and thumbnails come to the store; left out where these credentials write them.
    public let uploads: UploadWay?
    /// `true` where these credentials write nothing, not even the catalog and the profile: the account is over its limit, and
    /// its catalogs and profile have taken up their allowance. Left out otherwise.
    public let recordWritesWithheld: Bool?

    /// Gives credentials.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String, expiration: Date, endpoint: String,
        region: String, bucket: String, prefixes: [String], access: StorageAccessLevel,
        uploads: UploadWay? = nil, recordWritesWithheld: Bool? = nil
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

    /// The same for a deployment that reserves uploads.
    public var reservingUploads: StorageCredentials { copy(uploads: .reserved, recordWritesWithheld) }

    /// The same where even the catalog and the profile are not written.
    public var withholdingRecordWrites: StorageCredentials { copy(uploads: uploads, true) }

    private func copy(uploads: UploadWay?, _ recordWritesWithheld: Bool?) -> StorageCredentials {
        StorageCredentials(
            accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
            expiration: expiration, endpoint: endpoint, region: region, bucket: bucket, prefixes: prefixes,
            access: access, uploads: uploads, recordWritesWithheld: recordWritesWithheld)
    }
}

/// How photos and thumbnails come to the store. The set may grow.
public struct UploadWay: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, in snake case.
    public let rawValue: String
    /// Names a way.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By `POST /uploads`, which reserves their room, and by nothing else.
    public static let reserved = UploadWay(rawValue: "reserved")
}
