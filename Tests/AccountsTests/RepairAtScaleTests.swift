import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

/// Repair of more accounts than fit in memory; `PHOTOLALA_ACCOUNTS=1000000` sets their number.
@Suite struct RepairAtScaleTests {
    private static let chosen = ProcessInfo.processInfo.environment["PHOTOLALA_ACCOUNTS"].flatMap(Int.init)

    @Test("a dry run over any number of accounts finds every defect with bounded memory and requests")
    func dryRun() async throws {
        let count = Self.chosen ?? 3000
        let (population, service) = try await Population.make()
        let memory = Mutex<[Int]>([])
        let store = GeneratedAccountStore(count, of: population) {
            if Self.chosen != nil { memory.withLock { $0.append(Self.residentKiB()) } }
        }
        let accounts = AccountDirectory(
            store: store, naming: service.naming, keyRing: service.keyRing,
            retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }), now: { service.clock.now },
            randomness: .seeded(2)
        )
        let found = Mutex<[RepairFinding.Kind: Int]>([:])
        let began = ContinuousClock.now
        let summary = try await Repair(accounts, isDryRun: true, concurrency: 16) { finding in
            found.withLock { $0[finding.kind, default: 0] += 1 }
        }.run()
        var expected: [RepairFinding.Kind: Int] = [:]
        for fault in Population.Fault.allCases {
            expected[fault.finding] = count / 1000 + (count % 1000 > fault.rawValue ? 1 : 0)
        }
        #expect(found.withLock { $0 } == expected)
        #expect(summary.accounts == count && summary.settled == 0)
        let figures = store.figures
        // The listing may request its next page while all other tasks wait.
        #expect((2...17).contains(figures.maximumInFlight), "\(figures)")
        #expect(figures.maximumUnread <= 16, "a page was asked for before the one before was done: \(figures)")
        // Two for the binding, two for the hint; account, binding, hint and audit entry once more; and the pages.
        #expect(figures.requests < 8 * count + count / 50, "\(figures)")
        if Self.chosen != nil { reportUsage(figures, count, began.duration(to: .now), memory.withLock { $0 }) }
    }

    /// Memory must not grow with the number of accounts: after the first tenth it grows by less than 64 MiB.
    private func reportUsage(_ figures: GeneratedAccountStore.Figures, _ count: Int, _ time: Duration, _ memory: [Int])
    {
        let early = memory.prefix(max(1, memory.count / 10)).max() ?? 0
        let peak = memory.max() ?? 0
        #expect(peak - early < 64 << 10, "\(early) KiB after a tenth, \(peak) KiB at most")
        print(
            "\(count) accounts: \(figures.requests) requests (\(Double(figures.requests) / Double(count)) an account),",
            "\(time); resident \(early / 1024) MiB after a tenth, \(peak / 1024) MiB at most"
        )
    }

    private static func residentKiB() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}
