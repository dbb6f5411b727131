import Foundation
import HTTPTypes
import ObjectStorage
import S3Protocol

/// The archive of an S3 object that cannot be read immediately.
enum S3Archive {
    /// S3 Glacier Flexible Retrieval, and the archives of other S3 implementations.
    case flexible
    case deep
    /// The archive access tiers of S3 Intelligent-Tiering. Restored objects stay restored; a request that specifies
    /// days is rejected.
    case tiered
    case tieredDeep

    /// Whether the restored copy is readable or the restoration is in progress.
    enum Retrieval {
        case none, inProgress, done
    }

    /// Reads the response to HEAD; returns `nil` for an object that is not archived.
    init?(_ headers: HTTPFields) {
        switch (headers[.storageClass], headers[.archiveStatus]) {
        case (_, "ARCHIVE_ACCESS"): self = .tiered
        case (_, "DEEP_ARCHIVE_ACCESS"): self = .tieredDeep
        case ("DEEP_ARCHIVE", _): self = .deep
        case ("INTELLIGENT_TIERING", _): return nil
        // The caller knows that the object is archived. If that has changed since, the service reports it.
        default: self = .flexible
        }
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

    /// Returns the usual upper bound of a restoration, from AWS's documentation ("Understanding archive retrieval
    /// options"); `nil` if the archive does not support the speed.
    func maximumDuration(_ speed: RetrievalTier) -> Duration? {
        switch (self, speed) {
        case (.flexible, .expedited), (.tiered, .expedited): .seconds(5 * 60)
        case (.flexible, .standard), (.tiered, .standard): .seconds(5 * 3600)
        case (.flexible, .bulk), (.tiered, .bulk): .seconds(12 * 3600)
        case (.deep, .expedited), (.tieredDeep, .expedited): nil
        case (.deep, .standard), (.tieredDeep, .standard): .seconds(12 * 3600)
        case (.deep, .bulk), (.tieredDeep, .bulk): .seconds(48 * 3600)
        }
    }

    /// Returns the body of the request.
    func requestBody(_ order: RetrievalRequest) -> String {
        let days =
            switch self {
            case .flexible, .deep: "<Days>\(max(1, order.days))</Days>"
            case .tiered, .tieredDeep: ""
            }
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
