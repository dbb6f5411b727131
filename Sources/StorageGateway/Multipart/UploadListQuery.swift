import S3Protocol

/// The parameters of ListMultipartUploads.
struct UploadListQuery: Sendable {
    let prefix: String
    let delimiter: String?
    let limit: Int
    let keyMarker: String
    let idMarker: String
    let encodesNames: Bool

    init(_ request: GatewayRequest) throws(S3Error) {
        prefix = request.parameter("prefix") ?? ""
        delimiter = request.parameter("delimiter").flatMap { $0.isEmpty ? nil : $0 }
        limit = min(try Self.number(request, "max-uploads") ?? 1000, 1000)
        keyMarker = request.parameter("key-marker") ?? ""
        // Ignored without a key, as in S3.
        idMarker = keyMarker.isEmpty ? "" : request.parameter("upload-id-marker") ?? ""
        let encoding = request.parameter("encoding-type")
        guard encoding == nil || encoding == "url" else {
            throw .invalidArgument("Invalid Encoding Method specified in Request")
        }
        encodesNames = encoding == "url"
    }

    /// Returns a name as encoded in the response.
    func encodedName(_ name: String) -> String {
        encodesNames ? AWSPercentEncoding.encode(name, keepingSlash: true) : name
    }

    /// Parses a non-negative number; `nil` if the parameter is missing.
    static func number(_ request: GatewayRequest, _ name: String) throws(S3Error) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let number = Int(text), (0...2_147_483_647).contains(number) else {
            throw .invalidArgument("\(name) must be an integer between 0 and 2147483647")
        }
        return number
    }
}
