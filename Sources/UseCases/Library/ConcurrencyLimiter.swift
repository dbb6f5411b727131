import Foundation
import PhotolalaAPI
import Synchronization

/// Limits the number of libraries that are read concurrently. An account holds at most one seat, and free seats are
/// assigned to waiting accounts in turn: for each seat, an account waits for at most one read of each other account.
final class ConcurrencyLimiter: Sendable {
    private struct Waiter {
        let continuation: CheckedContinuation<ServiceError?, Never>
        /// Whether it continues a call whose time has been counted, and is not refused for want of time.
        let isContinued: Bool
    }

    private struct Account {
        var isReading = false
        var waiters: [Waiter] = []

        var count: Int { waiters.count + (isReading ? 1 : 0) }
    }

    private struct State {
        var free: Int
        var accounts: [UserID: Account] = [:]
        /// The accounts that wait and are not reading, in turn order.
        var queue: [UserID] = []
        var waiterCount = 0
    }

    private let maximumWaiters: Int
    private let maximumPerAccount: Int
    private let budget: ReadTimeBudget
    private let state: Mutex<State>

    /// - Parameters:
    ///   - seats: the number of concurrent reads.
    ///   - waiting: the most waiting reads of all accounts together.
    ///   - perAccount: the most reads of one account, running and waiting together.
    ///   - budget: the time limit for reads of an account, shared with other rooms.
    init(seats: Int, waiting: Int, perAccount: Int = 3, budget: ReadTimeBudget) {
        state = Mutex(State(free: seats))
        (maximumWaiters, maximumPerAccount) = (waiting, perAccount)
        self.budget = budget
    }

    /// Runs an operation that reads a library, once a seat is free.
    /// - Parameter isContinued: Whether the operation ends a call that has used time of the account: it may exceed that
    ///   time, so that the work is not lost, and there may be twice as many of them.
    /// - Throws: `rateLimited` if the account has used its time or has too many reads; `unavailable` if too many reads
    ///   wait; and the errors of the operation.
    func withPermit<Value>(
        for user: UserID, isContinued: Bool = false, _ act: () async throws -> Value
    ) async throws -> Value {
        if !isContinued, let wait = budget.wait(of: user) { throw ServiceError.rateLimited(retryAfter: wait) }
        let refusal = await withCheckedContinuation { continuation in
            acquire(user, Waiter(continuation: continuation, isContinued: isContinued))
        }
        if let refusal { throw refusal }
        let start = budget.start()
        defer { release(user, since: start) }
        return try await act()
    }

    /// Resumes the read at once if a seat is free or if the read may not wait.
    private func acquire(_ user: UserID, _ reading: Waiter) {
        let answer = state.withLock { state -> ServiceError?? in
            var account = state.accounts[user] ?? Account()
            defer { state.accounts[user] = account.count > 0 ? account : nil }
            guard account.count < maximumPerAccount * (reading.isContinued ? 2 : 1) else {
                return .some(.rateLimited(retryAfter: 1))
            }
            if state.free > 0, !account.isReading {
                state.free -= 1
                account.isReading = true
                return .some(nil)
            }
            guard state.waiterCount < maximumWaiters else {
                return .some(.unavailable("too many concurrent library reads"))
            }
            if !account.isReading, account.waiters.isEmpty { state.queue.append(user) }
            account.waiters.append(reading)
            state.waiterCount += 1
            return .none
        }
        if case .some(let refusal) = answer { reading.continuation.resume(returning: refusal) }
    }

    private func release(_ user: UserID, since start: Date) {
        budget.charge(user, since: start)
        let wait = budget.wait(of: user)
        let (refused, seated) = state.withLock { state in
            var account = state.accounts[user] ?? Account()
            account.isReading = false
            state.free += 1
            var refused: [Waiter] = []
            if wait != nil {
                refused = account.waiters.filter { !$0.isContinued }
                account.waiters.removeAll { !$0.isContinued }
                state.waiterCount -= refused.count
            }
            if !account.waiters.isEmpty { state.queue.append(user) }
            state.accounts[user] = account.count > 0 ? account : nil
            return (refused, Self.admitWaiters(&state))
        }
        for reading in refused { reading.continuation.resume(returning: .rateLimited(retryAfter: wait ?? 1)) }
        for reading in seated { reading.continuation.resume(returning: nil) }
    }

    /// Assigns free seats to the accounts in turn order.
    private static func admitWaiters(_ state: inout State) -> [Waiter] {
        var seated: [Waiter] = []
        while state.free > 0, !state.queue.isEmpty {
            let user = state.queue.removeFirst()
            guard var account = state.accounts[user], !account.waiters.isEmpty else { continue }
            seated.append(account.waiters.removeFirst())
            account.isReading = true
            state.accounts[user] = account
            state.free -= 1
            state.waiterCount -= 1
        }
        return seated
    }
}
