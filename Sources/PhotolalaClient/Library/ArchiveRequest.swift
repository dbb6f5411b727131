import ObjectStorage
import PhotolalaAPI

/// A request to restore photos from the archive. The operator of the photo store pays for it by speed and duration.
public struct ArchiveRequest: Sendable, Equatable {
    /// The retrieval speed. The times depend on the kind of archive; faster is more expensive.
    public enum Speed: String, Sendable, Codable, CaseIterable {
        /// 5 to 12 hours; up to 48 hours from a deep archive.
        case bulk
        /// 3 to 5 hours; up to 12 hours from a deep archive.
        case standard
        /// 1 to 5 minutes, longer for large videos. Not available from a deep archive, and not at all times.
        case expedited
    }

    /// The maximum number of days.
    public static let maximumDays = 365

    /// The retrieval speed.
    public var speed = Speed.standard
    /// The number of days, 1 to 365, for which the photos can be restored before they return to the archive. Ignored by
    /// archives that restore permanently.
    public var days = 7

    /// Creates a request with standard speed for seven days.
    public init() {}

    func checked() throws(PhotolalaError) -> RetrievalRequest {
        guard (1...Self.maximumDays).contains(days) else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "The number of retrieval days must be 1 to \(Self.maximumDays), not \(days).")
        }
        return RetrievalRequest(speed: speed.tier, days: days)
    }
}

extension ArchiveRequest.Speed {
    var tier: RetrievalTier {
        switch self {
        case .bulk: .bulk
        case .standard: .standard
        case .expedited: .expedited
        }
    }

    init(_ tier: RetrievalTier) {
        self =
            switch tier {
            case .bulk: .bulk
            case .standard: .standard
            case .expedited: .expedited
            }
    }
}
