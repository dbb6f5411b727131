import Foundation
import HTTPTypes
import ObjectStorage
import S3Protocol

/// The conditions of a request on the object that it reads (RFC 9110 section 13), for reading and for copying.
struct ReadConditions: Sendable {
    enum Verdict: Equatable { case proceed, notModified, failed }

    private let match: String?
    private let noneMatch: String?
    private let modifiedSince: Date?
    private let unmodifiedSince: Date?

    init(reading headers: HTTPFields) {
        match = headers[.ifMatch]
        noneMatch = headers[.ifNoneMatch]
        modifiedSince = headers[.ifModifiedSince].flatMap(S3Date.http)
        unmodifiedSince = headers[.ifUnmodifiedSince].flatMap(S3Date.http)
    }

    /// - Throws: An error for an invalid date. A read ignores it (RFC 9110 section 13.1.3); a copy would be made
    ///   although its condition may not hold.
    init(copying headers: HTTPFields) throws(S3Error) {
        match = headers[.amzCopySourceIfMatch]
        noneMatch = headers[.amzCopySourceIfNoneMatch]
        modifiedSince = try Self.date(.amzCopySourceIfModifiedSince, headers)
        unmodifiedSince = try Self.date(.amzCopySourceIfUnmodifiedSince, headers)
    }

    private static func date(_ name: HTTPField.Name, _ headers: HTTPFields) throws(S3Error) -> Date? {
        guard let text = headers[name] else { return nil }
        guard let date = S3Date.http(text) else { throw .invalidArgument("\(name.canonicalName) is not an HTTP date.") }
        return date
    }

    /// Evaluates the conditions. ETags take precedence over dates.
    func check(_ info: ObjectInfo) -> Verdict {
        let modified = info.lastModified.timeIntervalSince1970.rounded(.down)
        if let match {
            if !lists(match, info.etag) { return .failed }
        } else if let unmodifiedSince, modified > unmodifiedSince.timeIntervalSince1970 {
            return .failed
        }
        if let noneMatch {
            if lists(noneMatch, info.etag) { return .notModified }
        } else if let modifiedSince, modified <= modifiedSince.timeIntervalSince1970 {
            return .notModified
        }
        return .proceed
    }

    private func lists(_ header: String, _ etag: ETag) -> Bool {
        header.split(separator: ",").contains { piece in
            var tag = piece.drop { $0 == " " }
            while tag.last == " " { tag.removeLast() }
            if tag.hasPrefix("W/") { tag.removeFirst(2) }
            return tag == "*" || WriteConditions.unquoted(tag) == etag.description
        }
    }
}
