import HTTPTypes
import ObjectStorage
import SigV4

/// The header fields that are kept with an object, and how they are given back.
enum ObjectHeaders {
    private static let kept: [HTTPField.Name] = [
        .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage, .contentType, .expires,
    ]
    /// The longest field that is kept, in bytes; also all `x-amz-meta-` fields together, as at S3.
    private static let fieldLimit = 2048
    /// All kept fields together, names and values, in bytes.
    private static let totalLimit = 8192

    /// Reads the fields to keep from a request that stores an object.
    static func attributes(_ headers: HTTPFields) throws(S3Error) -> ObjectAttributes {
        try refuseForeign(headers)
        if let name = headers[.amzChecksumAlgorithm] { _ = try ChecksumAlgorithm.named(name) }
        var attributes: ObjectAttributes = [:]
        for name in kept { attributes[name.canonicalName] = headers[name] }
        if let encoding = attributes["content-encoding"] {
            let codings = encoding.split(separator: ",").map { $0.filter { $0 != " " } }.filter { $0 != "aws-chunked" }
            attributes["content-encoding"] = codings.isEmpty ? nil : codings.joined(separator: ",")
        }
        var size = 0
        for field in headers where field.name.canonicalName.hasPrefix("x-amz-meta-") {
            let name = field.name.canonicalName
            attributes[name] = attributes[name].map { "\($0),\(field.value)" } ?? field.value
            size += name.utf8.count + field.value.utf8.count
        }
        guard size <= fieldLimit, attributes.values.allSatisfy({ $0.utf8.count <= fieldLimit }),
            attributes.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= totalLimit
        else { throw .metadataTooLarge }
        return attributes
    }

    /// The header fields among the attributes of an object, without what is kept of its checksum and parts.
    static func fields(of attributes: ObjectAttributes) -> ObjectAttributes {
        attributes.filter { !ContentChecksum.isAttribute($0.key) && !$0.key.hasPrefix(PartLayout.attributePrefix) }
    }

    /// The fields of an answer that gives an object. The overrides of the request's `response-…` parameters come
    /// before the rule on what browsers may show.
    static func answer(_ info: ObjectInfo, _ request: GatewayRequest) -> HTTPFields {
        var headers: HTTPFields = [:]
        for (name, value) in fields(of: info.attributes) {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        for name in kept {
            if let value = request.parameter("response-\(name.canonicalName)") { headers[name] = value }
        }
        if headers[.contentType] == nil { headers[.contentType] = "binary/octet-stream" }
        headers[.contentDisposition] = BrowserSafety.disposition(
            contentType: headers[.contentType], asked: headers[.contentDisposition]
        )
        headers[.eTag] = "\"\(info.etag)\""
        headers[.lastModified] = S3Date.http(info.lastModified)
        headers[.acceptRanges] = "bytes"
        return headers
    }

    /// What would have to be kept or done and is not must be said, not dropped.
    private static func refuseForeign(_ headers: HTTPFields) throws(S3Error) {
        for field in headers {
            let name = field.name.canonicalName
            let isForeign =
                switch name {
                case "x-amz-acl": field.value != "private" && field.value != "bucket-owner-full-control"
                case "x-amz-storage-class": field.value != "STANDARD"
                case "x-amz-tagging", "x-amz-website-redirect-location", "x-amz-write-offset-bytes": true
                default:
                    name.hasPrefix("x-amz-server-side-encryption") || name.hasPrefix("x-amz-object-lock-")
                        || name.hasPrefix("x-amz-grant-")
                }
            if isForeign { throw .notImplemented("The header '\(name)'") }
        }
    }
}
