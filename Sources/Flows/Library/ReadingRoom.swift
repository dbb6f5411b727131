import Foundation
import PhotolalaAPI
import Synchronization

/// Bounds how many libraries are read at one time. An account has one seat at most, and free seats go to the waiting
/// accounts in turn: no account waits for more than one reading of each other account and seat.
final class ReadingRoom: Sendable {
    /// Readings of one account, under way and waiting together.
    private static let mostOfAccount = 3

    private typealias Waiting = CheckedContinuation<FlowError?, Never>

    private struct Account {
        var isReading = false
        var waiting: [Waiting] = []

        var count: Int { waiting.count + (isReading ? 1 : 0) }
    }

    private struct State {
        var free: Int
        var accounts: [UserID: Account] = [:]
        /// Accounts that wait and do not read, in the order of their turns.
        var turns: [UserID] = []
        var waiting = 0
    }

    private let mostWaiting: Int
    private let budget: ReadingBudget
    private let state: Mutex<State>

    /// - Parameters:
    ///   - seats: readings at one time.
    ///   - waiting: readings that may wait, of all accounts together.
    ///   - budget: how long an account may read, here and elsewhere.
    init(seats: Int, waiting: Int, budget: ReadingBudget) {
        state = Mutex(State(free: seats))
        mostWaiting = waiting
        self.budget = budget
    }

    /// Does something for which a library is read, once there is a seat for it.
    /// - Throws: `rateLimited` where the account has read for too long or has too many readings, `unavailable` where too
    ///   many wait, and what the act throws.
    func read<Value>(for user: UserID, _ act: () async throws -> Value) async throws -> Value {
        if let wait = budget.wait(of: user) { throw FlowError.rateLimited(retryAfter: wait) }
        let refusal = await withCheckedContinuation { continuation in enter(user, continuation) }
        if let refusal { throw refusal }
        let start = budget.start()
        defer { leave(user, since: start) }
        return try await act()
    }

    /// Answers at once where there is a seat, or none will be waited for.
    private func enter(_ user: UserID, _ reading: Waiting) {
        let answer = state.withLock { state -> FlowError?? in
            var account = state.accounts[user] ?? Account()
            defer { state.accounts[user] = account.count > 0 ? account : nil }
            guard account.count < Self.mostOfAccount else { return .some(.rateLimited(retryAfter: 1)) }
            if state.free > 0, !account.isReading {
                state.free -= 1
                account.isReading = true
                return .some(nil)
            }
            guard state.waiting < mostWaiting else { return .some(.unavailable("too many libraries are being read")) }
            if !account.isReading, account.waiting.isEmpty { state.turns.append(user) }
            account.waiting.append(reading)
            state.waiting += 1
            return .none
        }
        if case .some(let refusal) = answer { reading.resume(returning: refusal) }
    }

    private func leave(_ user: UserID, since start: Date) {
        budget.charge(user, since: start)
        let wait = budget.wait(of: user)
        let (refused, seated) = state.withLock { state in
            var account = state.accounts[user] ?? Account()
            account.isReading = false
            state.free += 1
            var refused: [Waiting] = []
            if wait != nil {
                swap(&refused, &account.waiting)
                state.waiting -= refused.count
            } else if !account.waiting.isEmpty {
                state.turns.append(user)
            }
            state.accounts[user] = account.count > 0 ? account : nil
            return (refused, Self.seat(&state))
        }
        for reading in refused { reading.resume(returning: .rateLimited(retryAfter: wait ?? 1)) }
        for reading in seated { reading.resume(returning: nil) }
    }

    /// Gives free seats to those whose turn it is.
    private static func seat(_ state: inout State) -> [Waiting] {
        var seated: [Waiting] = []
        while state.free > 0, !state.turns.isEmpty {
            let user = state.turns.removeFirst()
            guard var account = state.accounts[user], !account.waiting.isEmpty else { continue }
            seated.append(account.waiting.removeFirst())
            account.isReading = true
            state.accounts[user] = account
            state.free -= 1
            state.waiting -= 1
        }
        return seated
    }
}
