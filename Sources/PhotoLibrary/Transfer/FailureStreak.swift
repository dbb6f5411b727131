import ObjectStorage

/// Tells one file's bad luck from a store that is not there for anyone.
struct FailureStreak {
    private let limit: Int
    private var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func reset() { count = 0 }

    mutating func reasonToStop(after error: ObjectStoreError) -> TransferStop? {
        count += 1
        switch error {
        case .denied(let reason): return .denied(reason)
        case .outOfSpace: return .outOfSpace
        default: return count >= limit ? .storeUnavailable("\(error)") : nil
        }
    }
}
