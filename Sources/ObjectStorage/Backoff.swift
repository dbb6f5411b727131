import Secrets

/// The delay before a retry: a random part of an interval that doubles with each attempt, so that callers that failed
/// together do not retry together.
package struct Backoff: Sendable {
    private let initialDelay: Duration
    private let maximumDelay: Duration
    private let randomness: Randomness
    private let sleep: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - first: The interval before the first retry.
    ///   - longest: The upper bound of the interval.
    ///   - sleep: Waits; returns early when the task is cancelled.
    package init(
        first: Duration = .milliseconds(50), longest: Duration = .seconds(5), randomness: Randomness,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.initialDelay = first
        self.maximumDelay = longest
        self.randomness = randomness
        self.sleep = sleep
    }

    /// Waits before attempt number `attempt + 1`; attempts count from 1.
    /// - Parameter least: The minimum delay that the server requested.
    package func wait(attempt: Int, atLeast least: Duration = .zero) async {
        await sleep(max(delay(attempt: attempt), least))
    }

    /// Returns the delay after attempt number `attempt`: between half of the interval and all of it.
    package func delay(attempt: Int) -> Duration {
        let span = min(initialDelay * (1 << min(max(attempt - 1, 0), 20)), maximumDelay)
        let part = randomness.bytes(2).reduce(0) { $0 << 8 | Int($1) }
        return span / 2 + span * part / 131_072
    }
}
