import Foundation
import PhotolalaAPI
import Synchronization

/// Limits the number of libraries that are read concurrently. An account holds at most one seat, and free seats are
/// assigned to waiting accounts in turn: for each seat, an account waits for at most one read of each other account.
final class ReadingRoom: Sendable {
    /// The most reads of one account, running and waiting together.
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
        /// The accounts that wait and are not reading, in turn order.
        var turns: [UserID] = []
        var waiting = 0
    }

    private let mostWaiting: Int
    private let budget: ReadingBudget
    private let state: Mutex<State>

    /// - Parameters:
    ///   - seats: the number of concurrent reads.
    ///   - waiting: the most waiting reads of all accounts together.
    ///   - budget: the time limit for reads of an account, shared with other rooms.
    init(seats: Int, waiting: Int, budget: ReadingBudget) {
        state = Mutex(State(free: seats))
        mostWaiting = waiting
        self.budget = budget
    }

    /// Runs an operation that reads a library, once a seat is free.
    /// - Throws: `rateLimited` if the account has used its time or has too many reads; `unavailable` if too many reads
    ///   wait; and the errors of the operation.
    func read<Value>(for user: UserID, _ act: () async throws -> Value) async throws -> Value {
        if let wait = budget.wait(of: user) { throw FlowError.rateLimited(retryAfter: wait) }
        let refusal = await withCheckedContinuation { continuation in enter(user, continuation) }
        if let refusal { throw refusal }
        let start = budget.start()
        defer { leave(user, since: start) }
        return try await act()
    }

    /// Resumes the read at once if a seat is free or if the read may not wait.
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

    /// Assigns free seats to the accounts in turn order.
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
