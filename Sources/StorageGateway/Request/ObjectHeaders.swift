import HTTPTypes
import ObjectStorage
import S3Protocol

/// The header fields that are stored with an object, and how they are returned.
enum ObjectHeaders {
    static let storedFields: [HTTPField.Name] = [
        .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage, .contentType, .expires,
    ]
    /// The maximum length of a stored field in bytes; also of all `x-amz-meta-` fields together, as in S3.
    private static let fieldLimit = 2048
    /// The maximum total length of stored fields, names and values, in bytes.
    private static let totalLimit = 8192

    /// Reads the fields to store from a request that writes an object.
    static func attributes(_ headers: HTTPFields) throws(S3Error) -> ObjectAttributes {
        try rejectUnsupported(headers)
        if let name = headers[.amzChecksumAlgorithm] { _ = try ChecksumAlgorithm.named(name) }
        var attributes: ObjectAttributes = [:]
        for name in storedFields { attributes[name.canonicalName] = headers[name] }
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

    /// Returns the header fields among the attributes of an object, without those of its checksum and parts.
    static func fields(of attributes: ObjectAttributes) -> ObjectAttributes {
        attributes.filter { !ContentChecksum.isAttribute($0.key) && !$0.key.hasPrefix(PartLayout.attributePrefix) }
    }

    /// Returns the header fields of a response with an object. The request's `response-…` overrides are applied
    /// before the browser safety rules.
    static func responseFields(_ info: ObjectInfo, _ request: GatewayRequest) -> HTTPFields {
        var headers: HTTPFields = [:]
        for (name, value) in fields(of: info.attributes) {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        for name in storedFields {
            if let value = request.parameter("response-\(name.canonicalName)") { headers[name] = value }
        }
        if headers[.contentType] == nil { headers[.contentType] = "binary/octet-stream" }
        headers[.contentDisposition] = BrowserSafety.disposition(
            contentType: headers[.contentType], requested: headers[.contentDisposition]
        )
        headers[.eTag] = "\"\(info.etag)\""
        headers[.lastModified] = S3Date.http(info.lastModified)
        headers[.acceptRanges] = "bytes"
        return headers
    }

    /// Rejects, instead of ignoring, fields that request unsupported storage or behaviour.
    private static func rejectUnsupported(_ headers: HTTPFields) throws(S3Error) {
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
