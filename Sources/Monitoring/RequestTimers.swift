import CoreMetrics
import HTTPTypes
import Synchronization

/// Records the duration of HTTP requests. One lookup each.
package final class RequestTimers: Sendable {
    private struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private let metrics: ServiceMetrics
    private let metric: MetricDefinition
    private let timers = Mutex<[Key: Timer]>([:])

    /// The methods that are told apart: a client can send any.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// - Parameter metric: `ServiceMetric.requestDuration`, or `s3RequestDuration`, which has no routes.
    package init(_ metrics: ServiceMetrics, of metric: MetricDefinition) {
        (self.metrics, self.metric) = (metrics, metric)
    }

    /// - Parameter route: the pattern of the route, such as `/users/{id}`; `nil` if there is none.
    package func record(_ duration: Duration, route: String?, method: HTTPRequest.Method, status: Int) {
        let name = method.rawValue
        let key = Key(route: route ?? "-", method: Self.methods.contains(name) ? name : "other", status: status)
        let timer = timers.withLock { timers in
            if let known = timers[key] { return known }
            let values = [key.route, key.method, "\(key.status)"]
            let made = metrics.timer(metric, Array(values.suffix(metric.labels.count)))
            timers[key] = made
            return made
        }
        timer.recordNanoseconds(duration.nanoseconds)
    }
}
