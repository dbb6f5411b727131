import HTTPTypes
import ObjectStorage
import S3Protocol

/// The conditions of a request on the object that it writes.
enum WriteConditions {
    /// The condition of a write.
    enum Put: Sendable, Equatable {
        /// A condition that the store checks atomically with the write.
        case store(PutCondition)
        /// Only if an object has the key, with any ETag (`If-Match: *`).
        case exists
    }

    /// The condition of a delete.
    enum Delete: Sendable, Equatable {
        case store(DeleteCondition)
        case exists
    }

    static func put(_ headers: HTTPFields) throws(S3Error) -> Put {
        switch (headers[.ifMatch], headers[.ifNoneMatch]) {
        case (nil, nil): return .store(.always)
        case (nil, "*"): return .store(.absent)
        case ("*", nil): return .exists
        case (let tag?, nil): return .store(.matches(ETag(unquoted(tag))))
        default: throw .notImplemented("A header you provided")
        }
    }

    /// Returns the condition of DeleteObject.
    static func delete(_ headers: HTTPFields) -> Delete { delete(tag: headers[.ifMatch]) }

    /// Returns the condition of one `<Object>` of DeleteObjects.
    static func delete(_ entry: PlainElement) throws(S3Error) -> Delete {
        for child in entry.children {
            switch child.name {
            case "Key", "ETag": continue
            case "VersionId" where entry.value("VersionId") == "null": continue
            case "VersionId", "Size", "LastModifiedTime": throw .notImplemented("The element '\(child.name)'")
            default: throw .malformedXML
            }
        }
        // If a member were present twice, one would be ignored.
        guard Set(entry.children.map(\.name)).count == entry.children.count else { throw .malformedXML }
        return delete(tag: entry.value("ETag"))
    }

    private static func delete(tag: String?) -> Delete {
        switch tag {
        case nil: .store(.always)
        case "*": .exists
        case let tag?: .store(.matches(ETag(unquoted(tag))))
        }
    }

    /// Returns an entity tag without its quotes; clients send it with or without them.
    static func unquoted(_ tag: some StringProtocol) -> String {
        guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return String(tag) }
        return String(tag.dropFirst().dropLast())
    }
}
