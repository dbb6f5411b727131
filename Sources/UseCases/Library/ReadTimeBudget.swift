import Foundation
import PhotolalaAPI
import Synchronization

/// Limits the time for reading each account's libraries: 30 seconds at once, and a tenth of the time on average. An
/// account whose catalog is replaced repeatedly cannot occupy all seats. Counts on this instance only.
final class ReadTimeBudget: Sendable {
    /// The seconds that may be used at once.
    static let burst: TimeInterval = 30
    /// The seconds that are restored in each second.
    static let rate = 0.1
    /// The most seconds that one read counts for, because the clock may have been set.
    private static let maximumWait: TimeInterval = 600
    /// Accounts without debt are dropped once more than this number are remembered.
    private static let minimumTrackedDebt = 1000

    private struct Debt {
        var seconds: TimeInterval
        var at: Date

        mutating func decay(to time: Date) {
            seconds = max(0, seconds - max(0, time.timeIntervalSince(at)) * ReadTimeBudget.rate)
            at = time
        }
    }

    private struct State {
        var debts: [UserID: Debt] = [:]
        var limit = ReadTimeBudget.minimumTrackedDebt
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Returns the seconds until the account may read again, or `nil` if it may read now.
    func wait(of user: UserID) -> Int? {
        let time = now()
        return state.withLock { state in
            guard var debt = state.debts[user] else { return nil }
            debt.decay(to: time)
            state.debts[user] = debt
            guard debt.seconds >= Self.burst else { return nil }
            return max(1, Int(((debt.seconds - Self.burst) / Self.rate).rounded(.up)))
        }
    }

    /// Returns the current time, to pass to `charge`.
    func start() -> Date { now() }

    /// Counts a read that began at `start` and ends now.
    func charge(_ user: UserID, since start: Date) {
        let time = now()
        let seconds = min(max(0, time.timeIntervalSince(start)), Self.maximumWait)
        state.withLock { state in
            var debt = state.debts[user] ?? Debt(seconds: 0, at: time)
            debt.decay(to: time)
            debt.seconds += seconds
            state.debts[user] = debt
            guard state.debts.count > state.limit else { return }
            for key in state.debts.keys { state.debts[key]?.decay(to: time) }
            state.debts = state.debts.filter { $0.value.seconds > 0 }
            state.limit = max(Self.minimumTrackedDebt, 2 * state.debts.count)
        }
    }
}
