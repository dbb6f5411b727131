import CoreMetrics

/// Records how many bytes of objects were sent, and for how long. Its metrics are looked up once.
package struct DownloadMeter: Sendable {
    private let bytes: Counter
    private let duration: Timer

    package init(_ metrics: ServiceMetrics) {
        bytes = metrics.counter(ServiceMetric.downloadedBytes)
        duration = metrics.timer(ServiceMetric.downloadDuration, [])
    }

    /// Records an object that was sent completely.
    /// - Parameter start: when its first byte was requested.
    package func record(bytes count: Int64, since start: ContinuousClock.Instant) {
        bytes.increment(by: count)
        duration.recordNanoseconds((ContinuousClock.now - start).nanoseconds)
    }
}
