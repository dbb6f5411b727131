import Foundation
import ObjectStorage
import SigV4
import StorageAccess

/// Which bucket, and how to speak to it.
package struct S3Settings: Sendable, Equatable {
    package enum Addressing: Sendable, Equatable {
        /// `endpoint/bucket/key`, which every engine understands.
        case path
        /// `bucket.endpoint/key`, as AWS prefers.
        case virtualHost
    }

    package let bucket: String
    package let region: String
    package var addressing: Addressing
    /// The account that must own the bucket (12 digits), sent with every request on AWS.
    package let expectedBucketOwner: String?
    /// How often a request is tried that can safely be repeated.
    package var attempts = 6
    /// How long an answer may take, besides the time for the bytes of the request. Engines are known that let losers of
    /// a race of conditional writes wait for 18 seconds; who gives up earlier than that does not learn who won.
    package var timeout = Duration.seconds(30)
    /// The fewest bytes per second of an answer's body, once `timeout` was spent waiting for them.
    package var slowestPace = 4096
    /// A longer body is sent in parts of this many bytes, each held while it is sent; S3 takes parts of 5 MiB to 5 GiB.
    package var partSize = 8 << 20

    /// Learns the time from the service when it refuses this machine's. For people's devices; a server's clock is put
    /// right by its operator, who is told.
    package var followsServiceClock = false

    private let endpoint: ServiceEndpoint

    /// Gives `nil` for a bucket name that S3's rule forbids, and for an owner that is not 12 digits.
    /// - Parameters:
    ///   - endpoint: `http` or `https`, a host and perhaps a port and a path; anything else gives `nil`.
    ///   - addressing: `nil` is as the endpoint prefers: on AWS the name goes before the host, unless it has a dot,
    ///     which TLS certificates do not cover; elsewhere it goes into the path.
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

    /// Where an object, or the bucket itself, is found.
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

    /// The 12 digits of an AWS account.
    package static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
