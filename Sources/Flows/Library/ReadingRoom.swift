import PhotolalaAPI
import Synchronization

/// Lets so many in at one time; the others wait in line.
final class ReadingRoom: Sendable {
    /// Nobody waits behind more than these.
    private static let longestLine = 1000
    /// No user is inside and in line more often than this.
    private static let most = 3

    private struct State {
        var free: Int
        var line: [CheckedContinuation<Void, Never>] = []
        var users: [UserID: Int] = [:]
    }

    private let state: Mutex<State>

    init(seats: Int) { state = Mutex(State(free: seats)) }

    /// - Throws: `FlowError.unavailable` where the line is too long or has the user too often, and what the act throws.
    func read<Value>(for user: UserID, _ act: () async throws -> Value) async throws -> Value {
        let mayCome = state.withLock { state in
            guard state.line.count < Self.longestLine, state.users[user, default: 0] < Self.most else { return false }
            state.users[user, default: 0] += 1
            return true
        }
        guard mayCome else { throw FlowError.unavailable("too many libraries are being read") }
        await withCheckedContinuation { continuation in
            let isSeated = state.withLock { state in
                guard state.free > 0 else {
                    state.line.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isSeated { continuation.resume() }
        }
        defer { leave(user) }
        return try await act()
    }

    private func leave(_ user: UserID) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let left = (state.users[user] ?? 1) - 1
            state.users[user] = left > 0 ? left : nil
            guard state.line.isEmpty else { return state.line.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
