import ObjectStorage
import PhotolalaAPI

/// How archived photos are asked back. The operator of the photo store pays for it, by the speed and by the days.
public struct ArchiveRequest: Sendable, Equatable {
    /// How fast they come, by the kind of archive. The faster, the dearer.
    public enum Speed: String, Sendable, CaseIterable {
        /// 5 to 12 hours, from a deep archive up to 48.
        case bulk
        /// 3 to 5 hours, from a deep archive up to 12.
        case standard
        /// 1 to 5 minutes, or longer for large videos. Not from a deep archive, and not at all times.
        case expedited
    }

    /// The most days that can be asked for.
    public static let longest = 365

    /// How fast they come.
    public var speed = Speed.standard
    /// How many days they can be restored afterwards, 1 to 365; then they are in the archive alone again. Archives that
    /// give back for good do not look at it.
    public var days = 7

    /// The usual: standard, for a week.
    public init() {}

    func checked() throws(PhotolalaError) -> RetrievalOrder {
        guard (1...Self.longest).contains(days) else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "Photos can be asked back for 1 to \(Self.longest) days, not for \(days).")
        }
        switch speed {
        case .bulk: return RetrievalOrder(speed: .bulk, days: days)
        case .standard: return RetrievalOrder(speed: .standard, days: days)
        case .expedited: return RetrievalOrder(speed: .expedited, days: days)
        }
    }
}
