import Foundation
import HTTPTypes

/// Signs requests with AWS Signature Version 4.
package struct RequestSigner: Sendable {
    private let credentials: AWSCredentials
    private let region: String
    private let service: String
    private let pathNormalization: PathNormalization
    private let sendsPayloadHash: Bool
    private let keys: SigningKeyCache

    /// - Parameters:
    ///   - pathNormalization: `.none` for S3, `.standard` for all other services.
    ///   - sendsPayloadHash: Whether `x-amz-content-sha256` is added. S3 requires it, so it is the default there.
    ///   - keys: Shared by the signers of one service, which are created for each request.
    package init(
        credentials: AWSCredentials, region: String, service: String, pathNormalization: PathNormalization,
        sendsPayloadHash: Bool? = nil, keys: SigningKeyCache = SigningKeyCache()
    ) {
        self.credentials = credentials
        self.region = region
        self.service = service
        self.pathNormalization = pathNormalization
        self.sendsPayloadHash = sendsPayloadHash ?? (service == "s3")
        self.keys = keys
    }

    /// Signs a request, including all its headers except those that proxies change.
    /// - Returns: The headers to add to the request.
    package func sign(_ request: SignableRequest, payload: PayloadHash, at date: Date) -> SignedRequest {
        let timestamp = AWSTimestamp(date)
        let key = signingKey(timestamp)
        var added: HTTPFields = [:]
        added[.amzDate] = timestamp.description
        if sendsPayloadHash { added[.amzContentSHA256] = payload.description }
        if let token = credentials.sessionToken { added[.amzSecurityToken] = token }
        var signed = request
        for field in added { signed.headers[field.name] = field.value }
        let names = signedHeaders(signed)
        let signature = key.signature(
            of: canonical(signed, names, payload).stringToSign(timestamp: timestamp, scope: key.scope)
        )
        added[.authorization] =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(key.scope), "
            + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
        return SignedRequest(
            headers: added, chunks: ChunkSigner(seed: signature, key: key, timestamp: timestamp)
        )
    }

    /// Returns the query of a presigned request: the request's own parameters, those of the signature, and the
    /// signature. The sender must also send the request's headers.
    /// - Parameter expires: The lifetime in seconds from `date`, 1 to 604,800.
    package func presignedQuery(
        _ request: SignableRequest, payload: PayloadHash = .unsigned, expires: Int, at date: Date
    ) -> String {
        let timestamp = AWSTimestamp(date)
        let key = signingKey(timestamp)
        let names = signedHeaders(request)
        var parameters = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(credentials.accessKeyID)/\(key.scope)"),
            ("X-Amz-Date", timestamp.description), ("X-Amz-Expires", String(expires)),
            ("X-Amz-SignedHeaders", names.joined(separator: ";")),
        ]
        if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
        var signed = request
        let encoded = parameters.map { "\($0.0)=\(AWSPercentEncoding.encode($0.1))" }
        signed.query = ((request.query.isEmpty ? [] : [request.query]) + encoded).joined(separator: "&")
        let signature = key.signature(
            of: canonical(signed, names, payload).stringToSign(timestamp: timestamp, scope: key.scope)
        )
        return "\(signed.query)&X-Amz-Signature=\(signature)"
    }

    private func signingKey(_ timestamp: AWSTimestamp) -> SigningKey {
        keys.key(
            secretAccessKey: credentials.secretAccessKey,
            scope: CredentialScope(day: timestamp.day, region: region, service: service)
        )
    }

    private func canonical(_ request: SignableRequest, _ names: [String], _ payload: PayloadHash) -> CanonicalRequest {
        CanonicalRequest(
            request, signedHeaders: names, payload: payload, pathNormalization: pathNormalization
        )
    }

    private static let changingHeaders: Set = [
        "authorization", "connection", "expect", "transfer-encoding", "user-agent",
    ]

    private func signedHeaders(_ request: SignableRequest) -> [String] {
        var names = ["host"]
        for field in request.headers {
            let name = field.name.canonicalName
            if !Self.changingHeaders.contains(name), !names.contains(name) { names.append(name) }
        }
        return names.sorted()
    }
}

/// The result of signing a request.
package struct SignedRequest: Sendable {
    /// The headers to add to the request.
    package let headers: HTTPFields
    /// Signs the chunks of an `aws-chunked` body, in their order.
    package let chunks: ChunkSigner
}
