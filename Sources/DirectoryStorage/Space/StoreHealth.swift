import Foundation
import ObjectStorage
import Synchronization

/// What a store has noticed of itself: how the last commit of the accounts went, and whether something is damaged.
final class StoreHealth: Sendable {
    /// How long a failed commit counts, in seconds: a server without requests makes few others.
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

    /// - Parameter failure: `nil` for a commit that succeeded.
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

    /// An answer of a database that was read.
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
            // A disk that has space again is no longer full, whatever the last commit met.
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
