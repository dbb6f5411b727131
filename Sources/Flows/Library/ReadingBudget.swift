import Foundation
import PhotolalaAPI
import Synchronization

/// How long each account's libraries may be read: half a minute at once, and a tenth of the time on average. So an account
/// whose catalog is replaced again and again leaves the seats to others. Counts on this instance alone.
final class ReadingBudget: Sendable {
    /// Seconds that may be used at once.
    static let burst: TimeInterval = 30
    /// Seconds that come back in each second.
    static let rate = 0.1
    /// No reading counts for more seconds: the clock may have been set.
    private static let longest: TimeInterval = 600
    /// Accounts that owe nothing are dropped once more than this number are remembered.
    private static let leastRemembered = 1000

    private struct Debt {
        var seconds: TimeInterval
        var at: Date

        mutating func decay(to time: Date) {
            seconds = max(0, seconds - max(0, time.timeIntervalSince(at)) * ReadingBudget.rate)
            at = time
        }
    }

    private struct State {
        var debts: [UserID: Debt] = [:]
        var limit = ReadingBudget.leastRemembered
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Seconds until the account may read again; `nil` where it may now.
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

    /// The current time, from which a reading counts.
    func start() -> Date { now() }

    /// Counts a reading that began then and ends now.
    func charge(_ user: UserID, since start: Date) {
        let time = now()
        let seconds = min(max(0, time.timeIntervalSince(start)), Self.longest)
        state.withLock { state in
            var debt = state.debts[user] ?? Debt(seconds: 0, at: time)
            debt.decay(to: time)
            debt.seconds += seconds
            state.debts[user] = debt
            guard state.debts.count > state.limit else { return }
            for key in state.debts.keys { state.debts[key]?.decay(to: time) }
            state.debts = state.debts.filter { $0.value.seconds > 0 }
            state.limit = max(Self.leastRemembered, 2 * state.debts.count)
        }
    }
}
