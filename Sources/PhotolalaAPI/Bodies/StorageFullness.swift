/// How full an account's storage is. Used for warnings.
public enum StorageFullness: String, Sendable, Codable, CaseIterable, Comparable {
    /// Less than 80 % is used.
    case roomy
    /// At least 80 % is used.
    case near
    /// At least 95 % is used.
    case almostFull = "almost_full"
    /// The quota is used up or exceeded.
    case full

    /// Creates the level for a usage.
    /// - Parameters:
    ///   - used: The number of stored bytes.
    ///   - limit: The number of bytes that may be stored.
    public init(used: Int64, of limit: Int64) {
        // Integer arithmetic, so that with a limit of zero the first byte counts as full.
        self =
            switch (used, limit) {
            case (1..., _) where used >= limit: .full
            case (1..., _) where used >= limit - limit / 20: .almostFull
            case (1..., _) where used >= limit - limit / 5: .near
            default: .roomy
            }
    }

    /// Orders levels from the least full to the fullest.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .roomy: 0
        case .near: 1
        case .almostFull: 2
        case .full: 3
        }
    }
}

extension Usage {
    /// How full the storage was at the last count.
    public var fullness: StorageFullness { StorageFullness(used: storageUsed ?? 0, of: storageLimit) }
}
