/// How often a store's "try again" is followed, and with which waits between.
package struct RetryPolicy: Sendable {
    /// Tries altogether.
    package let attempts: Int
    package let backoff: Backoff

    package init(attempts: Int = 6, backoff: Backoff) {
        self.attempts = attempts
        self.backoff = backoff
    }

    /// Waits before the try after `attempt`, which counts from 0; there is nothing to wait for after the last.
    package func pause(after attempt: Int) async {
        guard attempt + 1 < attempts else { return }
        await backoff.wait(attempt: attempt + 1)
    }
}
