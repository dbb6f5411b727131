import AWSServices
import SigV4

/// Where the store is.
enum StoreSettings {
    case folder(FolderSettings)
    case bucket(BucketSettings)

    /// The values of the setting `store`.
    enum Kind: String, CaseIterable {
        case folder
        case s3
    }

    var kind: Kind { bucket == nil ? .folder : .s3 }

    var folder: FolderSettings? { if case .folder(let folder) = self { folder } else { nil } }

    var bucket: BucketSettings? { if case .bucket(let bucket) = self { bucket } else { nil } }

    /// The S3 address that clients are told.
    var endpoint: String {
        switch self {
        case .folder(let folder): folder.endpoint
        case .bucket(let bucket): bucket.endpoint
        }
    }

    var region: String {
        switch self {
        case .folder(let folder): folder.region
        case .bucket(let bucket): bucket.region
        }
    }

    var bucketName: String {
        switch self {
        case .folder(let folder): folder.bucket
        case .bucket(let bucket): bucket.name
        }
    }

    /// Every address that storage is spoken to at, with its setting.
    var addresses: [(SettingName, String)] {
        var addresses: [(SettingName, String)] = [(.s3Endpoint, endpoint)]
        guard let bucket else { return addresses }
        if bucket.internalEndpoint != endpoint { addresses.append((.s3InternalEndpoint, bucket.internalEndpoint)) }
        if bucket.tokenService != bucket.internalEndpoint { addresses.append((.stsEndpoint, bucket.tokenService)) }
        return addresses
    }

    /// For people: where it is.
    var place: String {
        switch self {
        case .folder(let folder): folder.data
        case .bucket(let bucket): "the bucket \(bucket.name) at \(bucket.internalEndpoint)"
        }
    }
}

/// A folder of this machine, and the S3 endpoint before it.
struct FolderSettings {
    let data: String
    let listen: ListenAddress
    /// What clients are told.
    let endpoint: String
    let region: String
    /// The name that the endpoint gives the folder.
    let bucket: String
    let corsOrigins: [String]
    /// What users' objects leave free on the disk, in bytes; `nil` is a tenth of it and at most 1 GiB.
    let reservedBytes: Int64?
    let scrub: ScrubSettings
}

/// How often all stored files are read again, and how fast.
struct ScrubSettings {
    /// 0 is never.
    let everyDays: Int
    let bytesPerSecond: Int
}

/// A bucket of S3, or of an engine that speaks like it, and who hands out its users' credentials.
struct BucketSettings {
    let name: String
    let region: String
    /// What clients are told.
    let endpoint: String
    /// Where the server itself reaches it.
    let internalEndpoint: String
    /// `nil` is as the endpoint prefers.
    let usesPathStyle: Bool?
    let expectedOwner: String?
    /// `nil` where they are found as AWS's own programs find theirs.
    let keys: AWSCredentials?
    /// The environment variables `AWS_…`, which say where else keys are.
    let awsVariables: [String: String]
    /// The role that users' credentials are a part of.
    let roleARN: String
    /// The address of STS.
    let tokenService: String

    /// How the server speaks to the bucket; `nil` while a setting is wrong.
    var connection: S3Settings? {
        S3Settings(
            endpoint: internalEndpoint, region: region, bucket: name,
            addressing: usesPathStyle.map { $0 ? .path : .virtualHost }, expectedBucketOwner: expectedOwner
        )
    }
}
