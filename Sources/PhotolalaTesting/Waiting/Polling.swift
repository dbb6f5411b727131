/// Polls a condition until it holds. Only for what another process does or the system's clock shows: a test's own tasks
/// are awaited, or open a `Gate`.
/// - Parameters:
///   - what: The condition as a clause, for the message of the failure.
///   - limit: The time after which the condition counts as failed. It is not part of what a test verifies.
///   - interval: The pause between two checks.
/// - Throws: `ConformanceFailure` at the deadline, `CancellationError`, and the errors of the condition.
package func waitUntil(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(120),
    every interval: Duration = .milliseconds(50), _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !condition() {
        guard clock.now < deadline else { throw ConformanceFailure("after \(limit), not yet true: \(what())") }
        try await clock.sleep(for: interval)
    }
}
