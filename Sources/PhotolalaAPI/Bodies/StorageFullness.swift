/// How full an account's storage is, for warnings.
public enum StorageFullness: String, Sendable, Codable, CaseIterable, Comparable {
    /// Less than four fifths are used.
    case roomy
    /// From 80 % on.
    case near
    /// From 95 % on.
    case almostFull = "almost_full"
    /// All of it is used, or more.
    case full

    /// - Parameters:
    ///   - used: bytes that are stored.
    ///   - limit: bytes that may be stored.
    public init(used: Int64, of limit: Int64) {
        // Whole numbers: a limit of zero is full from the first byte.
        self =
            switch (used, limit) {
            case (1..., _) where used >= limit: .full
            case (1..., _) where used >= limit - limit / 20: .almostFull
            case (1..., _) where used >= limit - limit / 5: .near
            default: .roomy
            }
    }

    /// Less full is less.
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
