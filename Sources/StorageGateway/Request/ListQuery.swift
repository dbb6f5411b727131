import S3Protocol

/// The parameters of a listing.
struct ListQuery: Sendable {
    let prefix: String
    let delimiter: String?
    let limit: Int
    /// The listing begins after this key, or after all keys of this common prefix if `skipsPrefix` is set.
    let after: String?
    let skipsPrefix: Bool
    let encodesNames: Bool
    let namesOwner: Bool

    init(_ request: GatewayRequest, version: Int) throws(S3Error) {
        prefix = request.parameter("prefix") ?? ""
        delimiter = request.parameter("delimiter").flatMap { $0.isEmpty ? nil : $0 }
        guard let count = Int(request.parameter("max-keys") ?? "1000"), count >= 0 else {
            throw .invalidArgument("max-keys must be an integer between 0 and 2147483647")
        }
        limit = min(count, 1000)
        let encoding = request.parameter("encoding-type")
        guard encoding == nil || encoding == "url" else {
            throw .invalidArgument("Invalid Encoding Method specified in Request")
        }
        encodesNames = encoding == "url"
        if version == 2 {
            namesOwner = request.parameter("fetch-owner") == "true"
            let token = try request.parameter("continuation-token").map { text throws(S3Error) in
                try ContinuationToken.decode(text)
            }
            after = token?.after ?? request.parameter("start-after")
            skipsPrefix = token?.isPrefix ?? false
        } else {
            namesOwner = true
            after = request.parameter("marker").flatMap { $0.isEmpty ? nil : $0 }
            // The first version returns a common prefix as the marker.
            let (marker, suffix) = (after, delimiter)
            skipsPrefix = suffix.map { marker?.hasSuffix($0) ?? false } ?? false
        }
    }

    /// Returns a name as encoded in the response.
    func encodedName(_ name: String) -> String {
        encodesNames ? AWSPercentEncoding.encode(name, keepingSlash: true) : name
    }
}
