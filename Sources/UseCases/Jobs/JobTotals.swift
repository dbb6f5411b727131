import Monitoring
import PhotolalaAPI
import StorageAccess

/// What a job counted over all accounts in its last complete run, on any instance.
package struct JobTotals: Codable, Sendable, Equatable {
    /// Accounts by tier.
    var accounts: [String: Int]?
    /// Accounts by their number of active links.
    var linkedProviders: [Int: Int]?
    /// Stored bytes by tier.
    var storedBytes: [String: Int64]?
    /// Deletions that are not complete 8 days after their date.
    var overdueDeletions: Int?

    /// Accounts whose recount differed from the recorded bytes although no change was recorded.
    var driftedAccounts: Int?
    /// The sum of these differences, each positive.
    var driftedBytes: Int64?
    /// How far the full recounts are.
    var recounts: RecountProgress?

    /// Adds an account.
    mutating func add(tier: Tier, links: Int, storedBytes bytes: Int64) {
        accounts = (accounts ?? [:]).merging([tier.rawValue: 1], uniquingKeysWith: +)
        linkedProviders = (linkedProviders ?? [:]).merging([links: 1], uniquingKeysWith: +)
        storedBytes = (storedBytes ?? [:]).merging([tier.rawValue: bytes], uniquingKeysWith: +)
    }

    /// Adds an account whose recount differed although no change was recorded.
    mutating func addDrift(bytes: Int64) {
        driftedAccounts = (driftedAccounts ?? 0) + 1
        driftedBytes = (driftedBytes ?? 0) + bytes
    }

    /// Sets the gauges of all totals that the job counts. What occurs no more becomes 0.
    func report(to metrics: ServiceMetrics) {
        for tier in Tier.allCases.map(\.rawValue) {
            if let accounts { metrics.set(ServiceMetric.accounts, [tier], to: Double(accounts[tier] ?? 0)) }
            if let storedBytes { metrics.set(ServiceMetric.storedBytes, [tier], to: Double(storedBytes[tier] ?? 0)) }
        }
        if let linkedProviders {
            for count in 0...Self.mostLinks {
                let found = linkedProviders.filter { count < Self.mostLinks ? $0.key == count : $0.key >= count }
                let label = count < Self.mostLinks ? "\(count)" : "\(count)+"
                metrics.set(ServiceMetric.linkedProviders, [label], to: Double(found.values.reduce(0, +)))
            }
        }
        if let driftedAccounts { metrics.set(ServiceMetric.usageDriftAccounts, to: Double(driftedAccounts)) }
        if let driftedBytes { metrics.set(ServiceMetric.usageDriftBytes, to: Double(driftedBytes)) }
        if let overdueDeletions { metrics.set(ServiceMetric.overdueDeletions, to: Double(overdueDeletions)) }
    }

    /// Accounts with this many links or more are reported together.
    private static let mostLinks = 5
}
