/// Measures and waits for deadlines. Injected, so that tests control when a deadline passes.
package struct TransportClock: Sendable {
    /// Returns the time since an arbitrary start; monotonic.
    let now: @Sendable () -> Duration
    /// Returns after the duration; throws if its task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's continuous clock.
    package static let system: TransportClock = {
        let start = ContinuousClock.now
        return TransportClock(now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
    }()

    /// The machine's clock, excluding the time that the machine is asleep.
    package static let awake: TransportClock = {
        let start = SuspendingClock.now
        return TransportClock(
            now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0, clock: .suspending) })
    }()

    /// Runs an operation with a time limit. An operation that does not support cancellation continues, and its result
    /// is dropped.
    func withTimeout<Value: Sendable>(
        _ limit: Duration, _ operation: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let results = AsyncStream.makeStream(of: Result<Value, TransportError>.self)
        let work = Task {
            do throws(TransportError) {
                results.continuation.yield(.success(try await operation()))
            } catch {
                results.continuation.yield(.failure(error))
            }
        }
        let timer = Task {
            guard (try? await sleep(limit)) != nil else { return }
            results.continuation.yield(.failure(.notSent("deadline exceeded")))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await result in results.stream { return try result.get() }
        throw .notSent("cancelled")
    }
}
