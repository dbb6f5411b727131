import Foundation
import ObjectStorage
import Synchronization

/// The observed state of a store: the result of the last commit to the accounts, and whether data is damaged.
final class StoreHealth: Sendable {
    /// The time for which a failed commit counts, in seconds. An idle server makes few other commits.
    private static let memory: TimeInterval = 60

    private struct State {
        var failure: StoreCondition.Fault?
        var failedAt = Date.distantPast
        var isDamaged = false
        var hasDamagedAccounts = false
        var hasDamagedFiles = false
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Records the result of a commit to the accounts.
    /// - Parameter failure: `nil` for a successful commit.
    func wrote(_ failure: ObjectStoreError?) {
        let fault: StoreCondition.Fault? =
            switch failure {
            case nil: nil
            case .outOfSpace?: .diskFull
            case .denied?: .diskReadOnly
            default: .writesFail
            }
        state.withLock { state in
            state.failure = fault
            state.failedAt = now()
        }
    }

    /// Records an error of a database read.
    func read(_ error: ObjectStoreError, of kind: DatabaseKind) {
        guard case .corrupted = error else { return }
        state.withLock { state in
            state.isDamaged = true
            if kind == .accounts { state.hasDamagedAccounts = true }
        }
    }

    func scrubbed(foundDamage: Bool) { state.withLock { $0.hasDamagedFiles = foundDamage } }

    func condition(_ reserve: SpaceReserve) -> StoreCondition {
        let (space, isLow, isFull) = (reserve.space, reserve.isLow, reserve.isFull)
        return state.withLock { state in
            // A disk that has space again is no longer full, regardless of the last commit.
            let isRecent =
                now().timeIntervalSince(state.failedAt) < Self.memory
                && (state.failure != .diskFull || isLow)
            let fault: StoreCondition.Fault? =
                state.hasDamagedAccounts
                ? .accountsDamaged
                : space?.isReadOnly == true ? .diskReadOnly : isFull ? .diskFull : isRecent ? state.failure : nil
            return StoreCondition(
                fault: fault, refusesUploads: isLow, isDamaged: state.isDamaged || state.hasDamagedFiles)
        }
    }
}
