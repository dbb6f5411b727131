import Secrets

/// How often and after which pause a store's "try again" is followed. Pauses double and are jittered, so that rivals
/// for one key do not meet again at once.
package struct RetryPolicy: Sendable {
    /// Tries altogether.
    package let attempts: Int
    private let firstPause: Duration
    private let randomness: Randomness
    private let sleep: @Sendable (Duration) async -> Void

    package init(
        attempts: Int = 6, firstPause: Duration = .milliseconds(20), randomness: Randomness,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.randomness = randomness
        self.sleep = sleep
    }

    /// Waits before the try after `attempt`, which counts from 0.
    package func pause(after attempt: Int) async {
        let jitter = Double(randomness.bytes(1).first ?? 0) / 255
        await sleep(firstPause * (1 << min(attempt, 6)) * (0.5 + jitter))
    }
}
