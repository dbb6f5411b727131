import HTTPTypes
import ObjectStorage
import PlainXML

/// The conditions that a request puts on what it writes.
enum WriteConditions {
    /// When a write may happen.
    enum Put: Sendable, Equatable {
        /// A condition that the store checks in the step that writes.
        case store(PutCondition)
        /// Only if an object has the key, with any tag (`If-Match: *`).
        case exists
    }

    /// When a delete may happen.
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

    /// The condition of DeleteObject.
    static func delete(_ headers: HTTPFields) -> Delete { delete(tag: headers[.ifMatch]) }

    /// The condition of one `<Object>` of DeleteObjects.
    static func delete(_ entry: PlainElement) throws(S3Error) -> Delete {
        for child in entry.children {
            switch child.name {
            case "Key", "ETag": continue
            case "VersionId" where entry.value("VersionId") == "null": continue
            case "VersionId", "Size", "LastModifiedTime": throw .notImplemented("The element '\(child.name)'")
            default: throw .malformedXML
            }
        }
        // Of a member that comes twice, one would be passed over.
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

    /// An entity tag without its quotes; clients send it either way.
    static func unquoted(_ tag: some StringProtocol) -> String {
        guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return String(tag) }
        return String(tag.dropFirst().dropLast())
    }
}
