import Foundation
import HTTPTypes
import ObjectStorage
import SigV4

/// Where S3 keeps an object that cannot be read at once.
enum S3Archive {
    /// S3 Glacier Flexible Retrieval, and what other engines call an archive.
    case flexible
    case deep
    /// The archive tiers of S3 Intelligent-Tiering. What comes back from there stays; a request that names days is refused.
    case tiered
    case tieredDeep

    /// Whether what the archive gave back can be read, or is on its way.
    enum Retrieval {
        case none, underWay, done
    }

    /// Reads the answer to HEAD; `nil` for an object that is in no archive.
    init?(_ headers: HTTPFields) {
        switch (headers[.storageClass], headers[.archiveStatus]) {
        case (_, "ARCHIVE_ACCESS"): self = .tiered
        case (_, "DEEP_ARCHIVE_ACCESS"): self = .tieredDeep
        case ("DEEP_ARCHIVE", _): self = .deep
        case ("INTELLIGENT_TIERING", _): return nil
        // Whoever asks has been told that it is archived. If that is over meanwhile, the service says so.
        default: self = .flexible
        }
    }

    /// What `x-amz-restore` says: `ongoing-request="false", expiry-date="…"`. It may be said for a while after the copy has
    /// gone.
    /// - Parameter now: by the service's clock.
    static func retrieval(_ headers: HTTPFields, at now: Date) -> Retrieval {
        guard let text = headers[.restore] else { return .none }
        if text.contains(#"ongoing-request="true""#) { return .underWay }
        guard let end = text.firstMatch(of: /expiry-date="([^"]*)"/).flatMap({ S3Date.http(String($0.1)) }) else {
            return headers[.archiveStatus] == nil ? .done : .none
        }
        return end > now ? .done : .none
    }

    /// The longest that a retrieval usually takes, by AWS's manual ("Understanding archive retrieval options"); `nil` where
    /// the archive does not have this speed.
    func longest(_ speed: RetrievalSpeed) -> Duration? {
        switch (self, speed) {
        case (.flexible, .expedited), (.tiered, .expedited): .seconds(5 * 60)
        case (.flexible, .standard), (.tiered, .standard): .seconds(5 * 3600)
        case (.flexible, .bulk), (.tiered, .bulk): .seconds(12 * 3600)
        case (.deep, .expedited), (.tieredDeep, .expedited): nil
        case (.deep, .standard), (.tieredDeep, .standard): .seconds(12 * 3600)
        case (.deep, .bulk), (.tieredDeep, .bulk): .seconds(48 * 3600)
        }
    }

    /// The body of the request.
    func document(_ order: RetrievalOrder) -> String {
        let days =
            switch self {
            case .flexible, .deep: "<Days>\(max(1, order.days))</Days>"
            case .tiered, .tieredDeep: ""
            }
        return #"<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + days
            + "<GlacierJobParameters><Tier>\(order.speed.tier)</Tier></GlacierJobParameters></RestoreRequest>"
    }
}

extension RetrievalSpeed {
    fileprivate var tier: String {
        switch self {
        case .bulk: "Bulk"
        case .standard: "Standard"
        case .expedited: "Expedited"
        }
    }
}
