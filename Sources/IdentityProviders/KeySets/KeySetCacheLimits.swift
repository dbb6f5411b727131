import Foundation

/// The limits for caching and fetching a provider's keys and for waiting callers. Times in seconds.
package struct KeySetCacheLimits: Sendable {
    /// The bounds for the lifetime in the provider's `Cache-Control`.
    package var lifetime: ClosedRange<TimeInterval>
    /// The lifetime if the provider states none.
    package var defaultLifetime: TimeInterval
    /// How long expired keys are used while the provider cannot be reached.
    package var staleLifetime: TimeInterval
    /// The minimum interval between two fetches, regardless of incoming tokens.
    package var minimumInterval: TimeInterval
    /// The minimum interval after a failed fetch.
    package var retryInterval: TimeInterval
    /// How long a caller waits for a fetch if it can use an expired key. Once one caller has waited that long, later
    /// ones do not wait for this fetch.
    package var waitWithKey = Duration.seconds(2)
    /// How long a caller waits that has no key: two documents may take ten seconds each.
    package var waitWithoutKey = Duration.seconds(20)
    /// The most callers that wait at once.
    package var maximumWaiters = 256

    package init(
        lifetime: ClosedRange<TimeInterval> = 300...86_400, defaultLifetime: TimeInterval = 3600,
        staleLifetime: TimeInterval = 86_400, minimumInterval: TimeInterval = 60, retryInterval: TimeInterval = 10
    ) {
        self.lifetime = lifetime
        self.defaultLifetime = defaultLifetime
        self.staleLifetime = staleLifetime
        self.minimumInterval = minimumInterval
        self.retryInterval = retryInterval
    }

    func clamp(_ requested: TimeInterval?) -> TimeInterval {
        min(max(requested ?? defaultLifetime, lifetime.lowerBound), lifetime.upperBound)
    }
}
