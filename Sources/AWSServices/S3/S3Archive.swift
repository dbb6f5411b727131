import Foundation
import HTTPTypes
import ObjectStorage
import S3Protocol

/// The responses and requests of S3 about archived objects.
enum S3Archive {
    /// Whether the restored copy is readable or the restoration is in progress.
    enum Retrieval {
        case none, inProgress, done
    }

    /// The storage classes whose objects cannot be read until they are restored.
    static func kind(ofClass storageClass: String?) -> ArchiveKind? {
        switch storageClass {
        case "GLACIER": .flexible
        case "DEEP_ARCHIVE": .deep
        default: nil
        }
    }

    /// The storage class whose objects may be in an archive tier, which only HEAD reports.
    static let tieringClass = "INTELLIGENT_TIERING"

    /// Reads the response to HEAD; returns `nil` for an object that is not archived. Objects of all other storage classes,
    /// such as `GLACIER_IR`, can be read.
    static func kind(_ headers: HTTPFields) -> ArchiveKind? {
        switch headers[.archiveStatus] {
        case "ARCHIVE_ACCESS": .tiered
        case "DEEP_ARCHIVE_ACCESS": .tieredDeep
        default: kind(ofClass: headers[.storageClass])
        }
    }

    /// Reads the response to HEAD for an object that was archived a moment ago; returns `nil` if it is not anymore. Other
    /// S3 implementations have storage classes of their own.
    static func kind(ofArchived headers: HTTPFields) -> ArchiveKind? {
        if let kind = kind(headers) { return kind }
        return headers[.storageClass] == tieringClass ? nil : .flexible
    }

    /// Parses `x-amz-restore`: `ongoing-request="false", expiry-date="…"`. The header may remain for some time after
    /// the restored copy has expired.
    /// - Parameter now: The time of the service's clock.
    static func retrieval(_ headers: HTTPFields, at now: Date) -> Retrieval {
        guard let text = headers[.restore] else { return .none }
        if text.contains(#"ongoing-request="true""#) { return .inProgress }
        guard let end = text.firstMatch(of: /expiry-date="([^"]*)"/).flatMap({ S3Date.http(String($0.1)) }) else {
            return headers[.archiveStatus] == nil ? .done : .none
        }
        return end > now ? .done : .none
    }

    /// Returns the body of a request.
    static func requestBody(_ order: RetrievalRequest, from kind: ArchiveKind) -> String {
        let days = kind.expiresCopies ? "<Days>\(max(1, order.days))</Days>" : ""
        return #"<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + days
            + "<GlacierJobParameters><Tier>\(order.tier.apiName)</Tier></GlacierJobParameters></RestoreRequest>"
    }
}

extension RetrievalTier {
    fileprivate var apiName: String {
        switch self {
        case .bulk: "Bulk"
        case .standard: "Standard"
        case .expedited: "Expedited"
        }
    }
}
