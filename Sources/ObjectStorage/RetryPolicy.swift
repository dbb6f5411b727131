/// The number of attempts after retryable failures of a store, and the delays between them.
package struct RetryPolicy: Sendable {
    /// The total number of attempts.
    package let attempts: Int
    package let backoff: Backoff

    package init(attempts: Int = 6, backoff: Backoff) {
        self.attempts = attempts
        self.backoff = backoff
    }

    /// Waits after `attempt`, which counts from 0; returns at once after the last one.
    package func pause(after attempt: Int) async {
        guard attempt + 1 < attempts else { return }
        await backoff.wait(attempt: attempt + 1)
    }
}
