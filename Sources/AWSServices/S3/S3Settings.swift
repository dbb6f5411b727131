import Foundation
import ObjectStorage
import SigV4

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
    /// A longer body is sent in parts of this many bytes, each held while it is sent; S3 takes parts of 5 MiB to 5 GiB.
    package var partSize = 8 << 20

    private let scheme: String
    private let host: String
    private let base: String

    /// Gives `nil` for a bucket name that S3's rule forbids, and for an owner that is not 12 digits.
    /// - Parameters:
    ///   - endpoint: `http` or `https`, a host and perhaps a port and a path; anything else gives `nil`.
    ///   - addressing: `nil` is as the endpoint prefers: on AWS the name goes before the host, unless it has a dot,
    ///     which TLS certificates do not cover; elsewhere it goes into the path.
    package init?(
        endpoint: String, region: String, bucket: String, addressing: Addressing? = nil,
        expectedBucketOwner: String? = nil
    ) {
        guard let parts = URLComponents(string: endpoint), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            Self.isBucketName(bucket), !region.isEmpty, expectedBucketOwner.map(Self.isAccount) ?? true
        else { return nil }
        let standard = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        self.scheme = scheme
        self.host = host + port
        let path = parts.percentEncodedPath
        base = path.hasSuffix("/") ? String(path.dropLast()) : path
        self.bucket = bucket
        self.region = region
        self.addressing =
            addressing ?? (AWSEndpoint.isAWS(endpoint) && !bucket.contains(".") ? .virtualHost : .path)
        self.expectedBucketOwner = expectedBucketOwner
    }

    /// Where an object, or the bucket itself, is found.
    func address(of key: ObjectKey?) -> (url: String, host: String, path: String) {
        let object = key.map { "/" + AWSPercentEncoding.encode($0.description, keepingSlash: true) }
        switch addressing {
        case .path:
            let path = "\(base)/\(bucket)\(object ?? "")"
            return ("\(scheme)://\(host)\(path)", host, path)
        case .virtualHost:
            let path = "\(base)\(object ?? "/")"
            return ("\(scheme)://\(bucket).\(host)\(path)", "\(bucket).\(host)", path)
        }
    }

    /// The 12 digits of an AWS account.
    package static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// 3 to 63 of `a-z`, `0-9`, `.` and `-`, with a letter or digit at both ends.
    package static func isBucketName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8?) -> Bool {
            guard let byte else { return false }
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let inner = name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        return (3...63).contains(name.utf8.count) && inner && isAlphanumeric(name.utf8.first)
            && isAlphanumeric(name.utf8.last) && !name.contains("..")
    }
}
