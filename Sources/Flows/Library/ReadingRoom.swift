import Synchronization

/// Lets so many in at one time; the others wait in line.
final class ReadingRoom: Sendable {
    /// Nobody waits behind more than these.
    private static let longestLine = 1000

    private struct State {
        var free: Int
        var line: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(seats: Int) { state = Mutex(State(free: seats)) }

    /// - Throws: `FlowError.unavailable` where the line is too long, and what the act throws.
    func read<Value>(_ act: () async throws -> Value) async throws -> Value {
        let isFull = state.withLock { $0.line.count >= Self.longestLine }
        if isFull { throw FlowError.unavailable("too many libraries are being read") }
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
        defer { leave() }
        return try await act()
    }

    private func leave() {
        let next = state.withLock { state in
            guard state.line.isEmpty else { return state.line.removeFirst() as CheckedContinuation<Void, Never>? }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
