import HTTPTypes
import Hummingbird

/// The origins whose pages may call this endpoint from a browser.
struct CORSPolicy: Sendable {
    private let origins: Set<String>

    init(origins: [String]) { self.origins = Set(origins) }

    /// Responds to a preflight request (`OPTIONS`).
    func preflight(_ headers: HTTPFields) throws(S3Error) -> Response {
        guard let origin = headers[.origin], headers[.accessControlRequestMethod] != nil else {
            throw S3Error(400, "BadRequest", "Insufficient information. Origin request header needed.")
        }
        guard origins.contains(origin) else {
            throw S3Error(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.")
        }
        var fields: HTTPFields = [
            .accessControlAllowMethods: "GET, HEAD, PUT, POST, DELETE", .accessControlMaxAge: "3000",
        ]
        fields[.accessControlAllowHeaders] = headers[.accessControlRequestHeaders]
        return Response(status: .ok, headers: fields)
    }

    /// Allows the page of an allowed origin to read the response.
    func apply(to headers: inout HTTPFields, origin: String?) {
        guard !origins.isEmpty else { return }
        headers[.vary] = "Origin"
        guard let origin, origins.contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] =
            "ETag, Content-Length, Content-Range, Content-Type, Last-Modified, Accept-Ranges, x-amz-request-id, "
            + "x-amz-checksum-crc32, x-amz-checksum-crc32c, x-amz-checksum-crc64nvme, x-amz-checksum-sha1, "
            + "x-amz-checksum-sha256, x-amz-checksum-type, x-amz-mp-parts-count"
    }
}
