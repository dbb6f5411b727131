import AWSServices
import S3Protocol

/// The settings of the store.
package enum StoreSettings {
    case folder(FolderSettings)
    case bucket(BucketSettings)

    /// The values of the setting `store`.
    package enum Kind: String, CaseIterable {
        case folder
        case s3
    }

    package var kind: Kind { bucket == nil ? .folder : .s3 }

    package var folder: FolderSettings? { if case .folder(let folder) = self { folder } else { nil } }

    package var bucket: BucketSettings? { if case .bucket(let bucket) = self { bucket } else { nil } }

    /// The S3 endpoint for clients.
    package var endpoint: String {
        switch self {
        case .folder(let folder): folder.endpoint
        case .bucket(let bucket): bucket.endpoint
        }
    }

    package var region: String {
        switch self {
        case .folder(let folder): folder.region
        case .bucket(let bucket): bucket.region
        }
    }

    package var bucketName: String {
        switch self {
        case .folder(let folder): folder.bucket
        case .bucket(let bucket): bucket.name
        }
    }

    /// Every storage endpoint with its setting.
    package var addresses: [(SettingName, String)] {
        var addresses: [(SettingName, String)] = [(.s3Endpoint, endpoint)]
        guard let bucket else { return addresses }
        if bucket.internalEndpoint != endpoint { addresses.append((.s3InternalEndpoint, bucket.internalEndpoint)) }
        if bucket.tokenService != bucket.internalEndpoint { addresses.append((.stsEndpoint, bucket.tokenService)) }
        return addresses
    }

    /// The store's location, for messages.
    package var location: String {
        switch self {
        case .folder(let folder): folder.data
        case .bucket(let bucket): "the bucket \(bucket.name) at \(bucket.internalEndpoint)"
        }
    }
}

/// A local folder, and the S3 endpoint that serves it.
package struct FolderSettings {
    package let data: String
    package let listen: ListenAddress
    /// The S3 endpoint for clients.
    package let endpoint: String
    package let region: String
    /// The bucket name at the S3 endpoint.
    package let bucket: String
    package let corsOrigins: [String]
    /// Whether the S3 endpoint logs a line for each request.
    package let logsRequests: Bool
    /// The disk space to keep free of users' objects, in bytes. `nil` means a tenth of the disk, at most 1 GiB.
    package let reservedBytes: Int64?
    package let scrub: ScrubSettings
}

/// The interval and speed of the scrub, which reads all stored files.
package struct ScrubSettings {
    /// The interval in days; 0 disables the scrub.
    package let everyDays: Int
    package let bytesPerSecond: Int
}

/// A bucket on S3 or a compatible engine, and the service that issues users' credentials.
package struct BucketSettings {
    package let name: String
    let region: String
    /// The endpoint for clients.
    let endpoint: String
    /// The endpoint that the server itself uses.
    let internalEndpoint: String
    /// `nil` selects the endpoint's default.
    let usesPathStyle: Bool?
    let expectedOwner: String?
    /// `nil` uses the default credential chain of AWS's own programs.
    let keys: AWSCredentials?
    /// The keys of the IAM user that signs upload addresses longer than a session lasts; `nil` if there is none.
    let uploadKeys: AWSCredentials?
    /// The environment variables `AWS_…` for the credential chain.
    let awsVariables: [String: String]
    /// The role that users' credentials assume.
    let roleARN: String
    /// The external id that the role demands, if any.
    let externalID: ExternalID?
    /// The role that erases deleted users' objects; `nil` to use the server's own credentials.
    let eraserRoleARN: String?
    /// The STS endpoint.
    let tokenService: String

    /// The server's connection to the bucket, `nil` if a setting is invalid.
    var connection: S3Settings? {
        S3Settings(
            endpoint: internalEndpoint, region: region, bucket: name,
            addressing: usesPathStyle.map { $0 ? .path : .virtualHost }, expectedBucketOwner: expectedOwner
        )
    }
}
