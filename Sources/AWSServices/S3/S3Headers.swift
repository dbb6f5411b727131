import Foundation
import HTTPTypes
import ObjectStorage
import S3Protocol

extension HTTPField.Name {
    static let archiveStatus = known("x-amz-archive-status")
    static let contentMD5 = known("content-md5")
    static let expectedBucketOwner = known("x-amz-expected-bucket-owner")
    static let bucketRegion = known("x-amz-bucket-region")
    static let errorCode = known("x-amz-error-code")
    static let restore = known("x-amz-restore")
    static let storageClass = known("x-amz-storage-class")

    /// Creates a field name from a literal in this module, all of which are valid tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }
}

/// The metadata of an object in response headers.
enum S3Headers {
    private static let storedFields: Set = [
        "cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires",
    ]

    static func info(_ headers: HTTPFields, size: Int64) throws(ObjectStoreError) -> ObjectInfo {
        ObjectInfo(
            etag: try etag(headers), size: size, lastModified: try modified(headers), attributes: attributes(headers)
        )
    }

    static func etag(_ headers: HTTPFields) throws(ObjectStoreError) -> ETag {
        guard let text = headers[.eTag], !text.isEmpty else { throw .outcomeUnknown("response without ETag") }
        return ETag(unquoted(text))
    }

    static func length(_ headers: HTTPFields) throws(ObjectStoreError) -> Int64 {
        guard let length = headers[.contentLength].flatMap({ Int64($0) }), length >= 0 else {
            throw .unavailable("response without Content-Length")
        }
        return length
    }

    /// Parses `bytes first-last/size` (RFC 9110 section 14.4) into the range and the object's size; the range is
    /// `nil` for `bytes */size`.
    static func contentRange(_ headers: HTTPFields) -> (range: Range<Int64>?, size: Int64)? {
        guard let text = headers[.contentRange], text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = Int64(parts[1]), size >= 0 else { return nil }
        if parts[0] == "*" { return (nil, size) }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last, last < size else {
            return nil
        }
        return (first..<last + 1, size)
    }

    static func unquoted(_ text: String) -> String {
        let strong = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        guard strong.count >= 2, strong.hasPrefix("\""), strong.hasSuffix("\"") else { return String(strong) }
        return String(strong.dropFirst().dropLast())
    }

    private static func attributes(_ headers: HTTPFields) -> ObjectAttributes {
        var attributes: ObjectAttributes = [:]
        for field in headers where isStored(field.name.canonicalName) {
            attributes[field.name.canonicalName] = field.value
        }
        return attributes
    }

    private static func isStored(_ name: String) -> Bool {
        storedFields.contains(name) || name.hasPrefix("x-amz-meta-")
    }

    private static func modified(_ headers: HTTPFields) throws(ObjectStoreError) -> Date {
        guard let date = headers[.lastModified].flatMap(S3Date.http) else {
            throw .unavailable("response without Last-Modified")
        }
        return date
    }
}
