import HTTPTypes
import ObjectStorage

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

    static func delete(_ headers: HTTPFields) throws(S3Error) -> DeleteCondition {
        guard let tag = headers[.ifMatch] else { return .always }
        guard tag != "*" else { throw .notImplemented("A header you provided") }
        return .matches(ETag(unquoted(tag)))
    }

    /// An entity tag without its quotes; clients send it either way.
    static func unquoted(_ tag: some StringProtocol) -> String {
        guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return String(tag) }
        return String(tag.dropFirst().dropLast())
    }
}
