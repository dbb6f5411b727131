import Foundation
import ObjectStorage
import Synchronization

/// The observed state of a store: the result of the last commit to the accounts, and whether data is damaged.
final class StoreHealth: Sendable {
    /// The time for which a failed commit counts, in seconds. An idle server makes few other commits.
    private static let failureLifetime: TimeInterval = 60

    private struct State {
        var failure: StoreStatus.Fault?
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
    func recordCommit(_ failure: ObjectStoreError?) {
        let fault: StoreStatus.Fault? =
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
    func recordReadError(_ error: ObjectStoreError, of kind: DatabaseKind) {
        guard case .corrupted = error else { return }
        state.withLock { state in
            state.isDamaged = true
            if kind == .accounts { state.hasDamagedAccounts = true }
        }
    }

    func recordScrub(foundDamage: Bool) { state.withLock { $0.hasDamagedFiles = foundDamage } }

    func status(_ reserve: SpaceReserve) -> StoreStatus {
        let (space, isLow, isFull) = (reserve.space, reserve.isLow, reserve.isFull)
        return state.withLock { state in
            // A disk that has space again is no longer full, regardless of the last commit.
            let isRecent =
                now().timeIntervalSince(state.failedAt) < Self.failureLifetime
                && (state.failure != .diskFull || isLow)
            let fault: StoreStatus.Fault? =
                state.hasDamagedAccounts
                ? .accountsDamaged
                : space?.isReadOnly == true ? .diskReadOnly : isFull ? .diskFull : isRecent ? state.failure : nil
            return StoreStatus(
                fault: fault, refusesUploads: isLow, isDamaged: state.isDamaged || state.hasDamagedFiles)
        }
    }
}
