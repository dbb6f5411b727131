import Foundation
import Synchronization

/// What happened in each of the last 60 minutes, for a page that an operator looks at without a monitoring system.
package final class MetricHistory: Sendable {
    /// The number of minutes that are remembered.
    package static let minutes = 60

    /// One minute.
    package struct Minute: Sendable, Equatable {
        package let endsAt: Date
        package let requests: Double
        /// The requests that were answered with a status of 500 or more.
        package let failures: Double
        package let signIns: Double
        /// The mean time of a request, in milliseconds; 0 without requests.
        package let requestTime: Double
        /// The mean time of a store request, in milliseconds; 0 without requests.
        package let storeTime: Double
    }

    /// Totals since the start of the process.
    private struct Totals {
        let at: Date
        let requests, failures, requestSeconds, signIns, storeRequests, storeSeconds: Double
    }

    private struct State {
        var last: Totals?
        var minutes: [Minute] = []
    }

    private let registry: MetricRegistry
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    package init(_ registry: MetricRegistry, now: @escaping @Sendable () -> Date) {
        (self.registry, self.now) = (registry, now)
    }

    /// The remembered minutes, the oldest first.
    package var all: [Minute] { state.withLock { $0.minutes } }

    /// Records the time since the last call. To be called once a minute.
    package func record() {
        let totals = totals()
        state.withLock { state in
            defer { state.last = totals }
            guard let last = state.last else { return }
            let requests = totals.requests - last.requests
            let stored = totals.storeRequests - last.storeRequests
            state.minutes.append(
                Minute(
                    endsAt: totals.at, requests: requests, failures: totals.failures - last.failures,
                    signIns: totals.signIns - last.signIns,
                    requestTime: requests > 0 ? (totals.requestSeconds - last.requestSeconds) * 1000 / requests : 0,
                    storeTime: stored > 0 ? (totals.storeSeconds - last.storeSeconds) * 1000 / stored : 0))
            if state.minutes.count > Self.minutes { state.minutes.removeFirst() }
        }
    }

    private func totals() -> Totals {
        let families = registry.snapshot().families
        let requests = Self.sum(families, ServiceMetric.requestDuration)
        let failures = Self.sum(families, ServiceMetric.requestDuration) { $0["status"]?.first == "5" }
        let store = Self.sum(families, ServiceMetric.storeRequest)
        return Totals(
            at: now(), requests: requests.count, failures: failures.count, requestSeconds: requests.seconds,
            signIns: Self.sum(families, ServiceMetric.signIns) { $0["outcome"] == "success" }.count,
            storeRequests: store.count, storeSeconds: store.seconds)
    }

    private static func sum(
        _ families: [MetricRegistry.Family], _ definition: MetricDefinition,
        where isIncluded: ([String: String]) -> Bool = { _ in true }
    ) -> (count: Double, seconds: Double) {
        var (count, seconds) = (0.0, 0.0)
        for series in families.first(where: { $0.definition.name == definition.name })?.series ?? [] {
            let labels = Dictionary(zip(definition.labels, series.values)) { first, _ in first }
            guard isIncluded(labels) else { continue }
            switch series.instrument {
            case .counter(let counter): count += Double(counter.value)
            case .gauge(let gauge): count += gauge.value
            case .histogram(let histogram):
                count += Double(histogram.values.reduce(0, +))
                seconds += histogram.sum
            }
        }
        return (count, seconds)
    }
}
