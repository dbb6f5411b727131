import Foundation

/// How long a provider's keys are kept, how often it may be asked, and how long callers wait. Times in seconds.
package struct KeySetCacheLimits: Sendable {
    /// Bounds for what the provider's `Cache-Control` asks for.
    package var lifetime: ClosedRange<TimeInterval>
    /// Used when the provider says nothing.
    package var defaultLifetime: TimeInterval
    /// How long keys outlive their lifetime while the provider cannot be reached.
    package var staleLifetime: TimeInterval
    /// The least time between two fetches, whatever strangers send.
    package var minimumInterval: TimeInterval
    /// The same after a fetch that failed.
    package var retryInterval: TimeInterval
    /// How long a caller waits for a fetch while it could use an expired key. The first that waited so long sends those
    /// after it on at once.
    package var waitWithKey = Duration.seconds(2)
    /// How long a caller waits that has no key: two documents may take ten seconds each.
    package var waitWithoutKey = Duration.seconds(20)
    /// How many callers wait at once.
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

    func clamp(_ asked: TimeInterval?) -> TimeInterval {
        min(max(asked ?? defaultLifetime, lifetime.lowerBound), lifetime.upperBound)
    }
}
