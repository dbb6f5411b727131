import HTTPTypes
import Hummingbird
import S3Protocol

/// A parsed request, from the bytes that were received: no other layer has decoded or normalized its path.
struct GatewayRequest: Sendable {
    let method: HTTPRequest.Method
    private(set) var headers: HTTPFields
    let host: String
    let rawPath: String
    let rawQuery: String
    /// Decoded; empty if the path is `/`.
    let bucket: String
    /// Decoded; empty if the path names only a bucket.
    let key: String
    let query: [(name: String, value: String)]
    let body: RequestBody

    init(_ request: Request) throws(S3Error) {
        let target = (request.head.path ?? "/").utf8
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        rawPath = String(Substring(path))
        rawQuery = String(Substring(target[path.endIndex...].dropFirst()))
        guard path.first == UInt8(ascii: "/"), !path.contains(UInt8(ascii: "#")) else { throw .invalidURI }
        let rawBucket = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let rawKey = path[rawBucket.endIndex...].dropFirst()
        guard let bucket = AWSPercentEncoding.decode(Substring(rawBucket)),
            let key = AWSPercentEncoding.decode(Substring(rawKey)),
            let query = AWSPercentEncoding.parseQuery(rawQuery)
        else { throw .invalidURI }
        // Its signature would be the same as that of a bucket and the beginning of a key.
        guard !bucket.utf8.contains(UInt8(ascii: "/")) else { throw .invalidURI }
        self.bucket = bucket
        self.key = key
        self.query = query
        method = request.method
        headers = request.headers
        host = request.head.authority ?? ""
        body = request.body
    }

    /// Returns the decoded value of a parameter, empty for one without a value, `nil` if it is missing.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The signature's own parameters. All others with their prefix represent header fields.
    private static let signature: Set = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-signature",
        "x-amz-security-token", "x-amz-content-sha256",
    ]

    /// Returns the request with the `x-amz-` query parameters as header fields: clients move fields there when they
    /// sign a link, and S3 reads them there. Call it after the signature, which covers the query, has been checked.
    /// Checksums are not moved (`DeclaredChecksum`).
    func withFieldsOfQuery() throws(S3Error) -> GatewayRequest {
        var request = self
        for (name, value) in query {
            let lower = name.lowercased()
            guard lower.hasPrefix("x-amz-"), !Self.signature.contains(lower), !DeclaredChecksum.declares(lower)
            else { continue }
            guard let field = HTTPField.Name(lower), request.headers[field] == nil else {
                throw .invalidRequest("The parameter '\(name)' is not a header field or is repeated.")
            }
            request.headers[field] = value
        }
        return request
    }

    /// The part of the request that its signature covers.
    var signable: SignableRequest {
        SignableRequest(method: method.rawValue, host: host, path: rawPath, query: rawQuery, headers: headers)
    }
}
