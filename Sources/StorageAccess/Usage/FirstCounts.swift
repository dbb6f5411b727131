import Foundation
import PhotolalaAPI
import Synchronization

/// Accounts of which nothing was counted when they got credentials. Without this the first count of what they then store is
/// the daily one. Kept in memory: what a restart forgets, the daily count finds.
package final class FirstCounts: Sendable {
    /// How long after its credentials an account is counted, in seconds, until something is found. The last one is after
    /// the end of the longest credentials.
    private static let delays: [TimeInterval] = [60, 300, 900, 1800, 3660]
    /// How many accounts wait at once.
    private static let most = 10_000

    private struct Wait {
        let since: Date
        /// How often it was counted.
        var counts = 0
    }

    private let waiting = Mutex<[UserID: Wait]>([:])

    init() {}

    /// Has an account counted, unless it waits already or too many do.
    package func add(_ user: UserID, at time: Date) {
        waiting.withLock { waiting in
            guard waiting[user] == nil, waiting.count < Self.most else { return }
            waiting[user] = Wait(since: time)
        }
    }

    /// Returns the accounts to be counted now, and has them wait for their next count.
    package func due(at time: Date) -> [UserID] {
        waiting.withLock { waiting in
            var due: [UserID] = []
            for (user, wait) in waiting where time >= wait.since.addingTimeInterval(Self.delays[wait.counts]) {
                due.append(user)
                var next = wait
                next.counts += 1
                waiting[user] = next.counts < Self.delays.count ? next : nil
            }
            return due
        }
    }

    /// Forgets an account of which something was found.
    package func remove(_ user: UserID) { waiting.withLock { $0[user] = nil } }
}
