import Foundation
import ObjectStorage
import S3Protocol
import StorageAccess

/// The bucket, and how to access it.
package struct S3Settings: Sendable, Equatable {
    package enum Addressing: Sendable, Equatable {
        /// `endpoint/bucket/key`, which every S3 implementation supports.
        case path
        /// `bucket.endpoint/key`, as AWS prefers.
        case virtualHost
    }

    package let bucket: String
    package let region: String
    package var addressing: Addressing
    /// The account that must own the bucket (12 digits), sent with every request on AWS.
    package let expectedBucketOwner: String?
    /// The maximum number of attempts of a repeatable request.
    package var attempts = 6
    /// How long a response may take, in addition to sending the request. Some S3 implementations make the losers of
    /// concurrent conditional writes wait for 18 seconds; a shorter timeout would leave the outcome unknown.
    package var timeout = Duration.seconds(30)
    /// The minimum rate of a response's body in bytes per second, after `timeout` was spent waiting for it.
    package var minimumRate = 4096
    /// The part size in bytes; larger bodies are uploaded in parts, each held in memory while it is sent. S3 accepts
    /// parts of 5 MiB to 5 GiB.
    package var partSize = 8 << 20

    /// Whether the service's time is used when it rejects the local clock. For users' devices; on a server the
    /// operator must correct the clock, and the error is reported.
    package var followsServiceClock = false

    private let endpoint: ServiceEndpoint

    /// Returns `nil` for a bucket name that is invalid in S3, and for an owner that is not 12 digits.
    /// - Parameters:
    ///   - endpoint: `http` or `https`, a host, and optionally a port and a path; anything else returns `nil`.
    ///   - addressing: `nil` selects the endpoint's default: virtual-host addressing on AWS, unless the bucket name
    ///     contains a dot, which TLS certificates do not cover; path addressing elsewhere.
    package init?(
        endpoint: String, region: String, bucket: String, addressing: Addressing? = nil,
        expectedBucketOwner: String? = nil
    ) {
        guard let endpoint = ServiceEndpoint(endpoint), BucketARN.isBucketName(bucket), !region.isEmpty,
            expectedBucketOwner.map(Self.isAccount) ?? true
        else { return nil }
        self.endpoint = endpoint
        self.bucket = bucket
        self.region = region
        self.addressing = addressing ?? (endpoint.isAWS && !bucket.contains(".") ? .virtualHost : .path)
        self.expectedBucketOwner = expectedBucketOwner
    }

    /// Returns the URL of an object, or of the bucket itself.
    func address(of key: ObjectKey?) -> (url: String, host: String, path: String) {
        let object = key.map { "/" + AWSPercentEncoding.encode($0.description, keepingSlash: true) }
        switch addressing {
        case .path:
            let path = "\(endpoint.path)/\(bucket)\(object ?? "")"
            return ("\(endpoint.scheme)://\(endpoint.host)\(path)", endpoint.host, path)
        case .virtualHost:
            let path = "\(endpoint.path)\(object ?? "/")"
            return ("\(endpoint.scheme)://\(bucket).\(endpoint.host)\(path)", "\(bucket).\(endpoint.host)", path)
        }
    }

    /// Returns whether the text is an AWS account id of 12 digits.
    package static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
