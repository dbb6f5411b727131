import Foundation
import PhotolalaAPI
import Synchronization

/// Accounts without a count when they received credentials. Without this, the first count of what they store would be
/// the daily one. Kept in memory: the daily count covers what a restart loses.
package final class FirstCountSchedule: Sendable {
    /// The delays after issuing credentials at which an account is counted, in seconds, until objects are found. The
    /// last one is after the expiry of the longest credentials.
    private static let delays: [TimeInterval] = [60, 300, 900, 1800, 3660]
    /// The maximum number of waiting accounts.
    private static let capacity = 10_000

    private struct PendingCount {
        let since: Date
        /// The number of counts so far.
        var counts = 0
    }

    private let pending = Mutex<[UserID: PendingCount]>([:])

    init() {}

    /// Schedules an account for counting, unless it is scheduled already or the maximum is reached.
    package func add(_ user: UserID, at time: Date) {
        pending.withLock { accounts in
            guard accounts[user] == nil, accounts.count < Self.capacity else { return }
            accounts[user] = PendingCount(since: time)
        }
    }

    /// Returns the accounts to be counted now, and schedules their next count.
    package func due(at time: Date) -> [UserID] {
        pending.withLock { accounts in
            var due: [UserID] = []
            for (user, count) in accounts where time >= count.since.addingTimeInterval(Self.delays[count.counts]) {
                due.append(user)
                var next = count
                next.counts += 1
                accounts[user] = next.counts < Self.delays.count ? next : nil
            }
            return due
        }
    }

    /// Removes an account for which objects were found.
    package func remove(_ user: UserID) { pending.withLock { $0[user] = nil } }
}
