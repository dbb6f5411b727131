import Foundation
import Monitoring
import Testing

/// The last hour in minutes.
@Suite struct MetricHistoryTests {
    @Test("a minute has what happened since the one before, and 60 are kept")
    func minutes() {
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        let registry = MetricRegistry(ServiceMetric.all)
        let metrics = ServiceMetrics(factory: registry)
        let history = MetricHistory(registry) { time }
        metrics.increment(ServiceMetric.signIns, ["apple", "success"], by: 5)
        history.record()
        #expect(history.all.isEmpty)
        metrics.increment(ServiceMetric.signIns, ["apple", "success"], by: 2)
        metrics.increment(ServiceMetric.signIns, ["apple", "rejected"], by: 9)
        metrics.record(ServiceMetric.requestDuration, ["/auth/signin", "POST", "200"], .milliseconds(10))
        metrics.record(ServiceMetric.requestDuration, ["/auth/signin", "POST", "503"], .milliseconds(30))
        history.record()
        let minute = history.all.last
        #expect(minute?.endsAt == time && minute?.signIns == 2)
        #expect(minute?.requests == 2 && minute?.failures == 1 && minute?.requestTime == 20 && minute?.storeTime == 0)
        for _ in 0..<80 { history.record() }
        #expect(history.all.count == 60 && history.all.allSatisfy { $0.signIns == 0 })
    }
}
