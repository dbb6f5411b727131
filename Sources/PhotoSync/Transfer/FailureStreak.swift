import ObjectStorage
import PhotolalaAPI

/// The number of consecutive failures, which distinguishes an error with one file from a store that is unavailable.
struct FailureStreak {
    private let limit: Int
    private var count = 0
    /// Consecutive files refused because of the quota; a smaller one may still fit.
    private var quotaRefusals = 0

    init(limit: Int) { self.limit = limit }

    /// Records that the store responded.
    mutating func reset() { count = 0 }

    /// Records that the store accepted an object, so there is quota headroom.
    mutating func recordStored() { (count, quotaRefusals) = (0, 0) }

    mutating func reasonToStop(after error: ObjectStoreError) -> TransferStop? {
        switch error {
        case .denied(let reason): return .denied(reason)
        case .outOfSpace: return .storeFull
        case .quotaExceeded:
            quotaRefusals += 1
            return quotaRefusals >= limit ? .overQuota : nil
        case .unavailable, .outcomeUnknown:
            count += 1
            return count >= limit ? .storeUnavailable("\(error)") : nil
        default:
            // The error concerns one object; the store responds.
            reset()
            return nil
        }
    }

    /// Sends another request to the store if the last files got no response, because those may have been too few to
    /// reach the limit.
    func reasonToStop(asking store: any ObjectStore, user: UserID) async -> TransferStop? {
        guard count > 0 else { return nil }
        do {
            _ = try await store.head(ObjectKey(known: StorageLayout.catalogPointer(user)))
            return nil
        } catch {
            switch error {
            case .denied(let reason): return .denied(reason)
            case .unavailable, .outcomeUnknown: return .storeUnavailable("\(error)")
            default: return nil
            }
        }
    }
}
