import Synchronization

/// Runs one refresh at a time for all waiting callers, and limits how many wait and for how long.
final class SharedRefresh: Sendable {
    enum Outcome: Sendable {
        /// The refresh has ended.
        case ended
        /// The refresh still runs, or the caller was cancelled.
        case timedOut
        /// Too many callers wait already.
        case refused
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Outcome, Never>
        var timer: Task<Void, Never>?
    }

    private struct State {
        var isRunning = false
        /// Whether a caller of the running refresh has timed out.
        var isOverdue = false
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
    }

    private let maximumWaiters: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    init(maximumWaiters: Int = 256, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.maximumWaiters = maximumWaiters
        self.sleep = sleep
    }

    /// The number of waiting callers.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Starts a refresh unless one is running, and waits for its end.
    /// - Parameters:
    ///   - limit: the longest wait.
    ///   - isOptional: whether the caller can continue without the refresh, so that it does not wait for an overdue
    ///     one.
    func run(
        waitingAtMost limit: Duration, isOptional: Bool = false, _ refresh: @escaping @Sendable () async -> Void
    ) async -> Outcome {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let refusal = addWaiter(Waiter(continuation: continuation), id, limit, isOptional, refresh)
                if let refusal { continuation.resume(returning: refusal) }
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    /// - Returns: the outcome if the caller does not wait; `nil` if it waits.
    private func addWaiter(
        _ waiter: Waiter, _ id: UInt64, _ limit: Duration, _ isOptional: Bool,
        _ refresh: @escaping @Sendable () async -> Void
    ) -> Outcome? {
        state.withLock { state in
            if isOptional, state.isOverdue { return .timedOut }
            guard state.waiters.count < maximumWaiters else { return .refused }
            var waiter = waiter
            waiter.timer = Task { [weak self, sleep] in
                guard (try? await sleep(limit)) != nil else { return }
                self?.wake(id, isOverdue: true)
            }
            state.waiters[id] = waiter
            if !state.isRunning {
                state.isRunning = true
                // Not part of the caller's task: the cancellation of one caller must not cancel the refresh for others.
                Task {
                    await refresh()
                    finish()
                }
            }
            return nil
        }
    }

    private func wake(_ id: UInt64, isOverdue: Bool = false) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter != nil, isOverdue { state.isOverdue = true }
            return waiter
        }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(returning: .timedOut)
    }

    private func finish() {
        let waiters = state.withLock { state in
            let waiters = state.waiters
            (state.isRunning, state.isOverdue, state.waiters) = (false, false, [:])
            return waiters
        }
        for waiter in waiters.values {
            waiter.timer?.cancel()
            waiter.continuation.resume(returning: .ended)
        }
    }
}
