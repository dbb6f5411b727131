import HTTPTypes
import ObjectStorage
import PlainXML

/// The conditions that a request puts on what it writes.
enum WriteConditions {
    static func put(_ headers: HTTPFields) throws(S3Error) -> PutCondition {
        switch (headers[.ifMatch], headers[.ifNoneMatch]) {
        case (nil, nil): return .always
        case (nil, "*"): return .absent
        case (let tag?, nil) where tag != "*": return .matches(ETag(unquoted(tag)))
        default: throw .notImplemented("A header you provided")
        }
    }

    /// The condition of DeleteObject. A condition that cannot be checked in one step with the delete is refused, never
    /// ignored: as on S3's general purpose buckets, those are size and time.
    static func delete(_ headers: HTTPFields) throws(S3Error) -> DeleteCondition {
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince] where headers[name] != nil {
            throw .notImplemented("The header '\(name.canonicalName)'")
        }
        for field in headers where field.name.canonicalName.hasPrefix("x-amz-if-") {
            throw .notImplemented("The header '\(field.name.canonicalName)'")
        }
        return try delete(tag: headers[.ifMatch])
    }

    /// The condition of one `<Object>` of DeleteObjects.
    static func delete(_ entry: PlainElement) throws(S3Error) -> DeleteCondition {
        for child in entry.children {
            switch child.name {
            case "Key", "ETag": continue
            case "VersionId" where entry.value("VersionId") == "null": continue
            case "VersionId", "Size", "LastModifiedTime": throw .notImplemented("The element '\(child.name)'")
            default: throw .malformedXML
            }
        }
        return try delete(tag: entry.value("ETag"))
    }

    private static func delete(tag: String?) throws(S3Error) -> DeleteCondition {
        guard let tag else { return .always }
        guard tag != "*" else { throw .notImplemented("A condition on any entity tag") }
        return .matches(ETag(unquoted(tag)))
    }

    /// An entity tag without its quotes; clients send it either way.
    static func unquoted(_ tag: some StringProtocol) -> String {
        guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return String(tag) }
        return String(tag.dropFirst().dropLast())
    }
}
