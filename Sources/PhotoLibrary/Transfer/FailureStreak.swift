import ObjectStorage
import PhotolalaAPI

/// Tells one file's bad luck from a store that is not there for anyone.
struct FailureStreak {
    private let limit: Int
    private var count = 0
    /// Those for which there was no room; a smaller one may fit.
    private var withoutRoom = 0

    init(limit: Int) { self.limit = limit }

    /// The store answered.
    mutating func reset() { count = 0 }

    /// The store took something: there is room.
    mutating func noteStored() { (count, withoutRoom) = (0, 0) }

    mutating func reasonToStop(after error: ObjectStoreError) -> TransferStop? {
        switch error {
        case .denied(let reason): return .denied(reason)
        case .outOfSpace: return .outOfSpace
        case .quotaExceeded:
            withoutRoom += 1
            return withoutRoom >= limit ? .overQuota : nil
        case .unavailable, .outcomeUnknown:
            count += 1
            return count >= limit ? .storeUnavailable("\(error)") : nil
        default:
            // About this one object: the store answers.
            reset()
            return nil
        }
    }

    /// Asks the store once more when the last files got no answer, for those may have been too few to tell.
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
