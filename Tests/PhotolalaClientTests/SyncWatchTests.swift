import Foundation
import PhotoSync
import PhotolalaAPI
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("Continuous sync") struct SyncWatchTests {
    /// A clock that advances only while waiting, with scheduled events.
    private final class Script: Sendable {
        struct State {
            var now = 0.0
            var signals: [Double]
            var syncs: [Double] = []
            var versionChecks = 0
            var events: [SyncWatchEvent] = []
            /// The time at which another folder replaces the watched one.
            var mounted: Double?
        }

        let inbox = WatchInbox()
        let state: Mutex<State>
        private let end: Double

        init(signals: [Double] = [], mounted: Double? = nil, end: Double) {
            state = Mutex(State(signals: signals, mounted: mounted))
            self.end = end
        }

        var now: Double { state.withLock { $0.now } }
        var syncs: [Double] { state.withLock { $0.syncs } }
        var events: [SyncWatchEvent] { state.withLock { $0.events } }

        func sleep(_ seconds: Double) async {
            let isSignal = state.withLock { state in
                guard let next = state.signals.first, next <= state.now + seconds else {
                    state.now += seconds
                    return false
                }
                state.now = max(state.now, next)
                state.signals.removeFirst()
                return true
            }
            if isSignal { inbox.post(.changed) }
        }

        /// Watches until the end of the script.
        func watch(
            version: @escaping @Sendable (Double) -> String = { _ in "" },
            sync: @escaping @Sendable (Double) throws(PhotolalaError) -> SyncReport
        ) async -> ErrorCode? {
            let watch = SyncWatch(
                sync: { () async throws(PhotolalaError) in
                    let now = self.now
                    self.state.withLock { $0.syncs.append(now) }
                    return try sync(now)
                },
                updateFolderWatch: {
                    self.state.withLock { state in
                        guard let mounted = state.mounted, mounted <= state.now else { return false }
                        state.mounted = nil
                        return true
                    }
                },
                libraryVersion: { () async throws(PhotolalaError) in
                    let now = self.now
                    guard now < self.end else { throw PhotolalaError(code: .sessionEnded, detail: "over") }
                    return version(now)
                },
                clock: { self.now }, sleep: { await self.sleep($0) }, jitter: { 1 },
                report: { round in self.state.withLock { $0.events.append(round) } }
            )
            do throws(PhotolalaError) {
                try await watch.run(WatchPlan(libraryInterval: 30, isWatched: true, at: 0), inbox)
            } catch { return error.code }
        }
    }

    private static func report(added: Int = 0, held: Int = 0) -> SyncReport {
        var summary = SyncSummary()
        (summary.addedEntries, summary.withheldEntries) = (added, held)
        return SyncReport(
            folder: URL(fileURLWithPath: "/f"), summary: summary, isDryRun: false, lacksThumbnailTool: false,
            stopped: nil, storage: nil)
    }

    @Test("a sync runs at the start, after changes and after library changes, and reports only relevant results")
    func rounds() async {
        let script = Script(signals: [7, 8], end: 100)
        let code = await script.watch(version: { $0 < 70 ? "a" : "b" }) { Self.report(added: $0 == 11 ? 1 : 0) }
        #expect(script.syncs == [0, 11, 71])
        #expect(script.events == [.synced(Self.report()), .synced(Self.report(added: 1))])
        #expect(code == .sessionEnded, "an error that waiting cannot resolve ends the watch")
    }

    @Test("a folder that replaces the watched folder is synced without a notification")
    func mounted() async {
        let script = Script(mounted: 40, end: 100)
        _ = await script.watch { _ in Self.report() }
        #expect(script.syncs == [0, 63])
    }

    @Test("a removed disk is waited for, and a folder that never existed is an error")
    func takenOut() async {
        let gone = PhotolalaError(code: .folderUnusable, detail: "gone")
        let script = Script(signals: [7], end: 300)
        let code = await script.watch { now throws(PhotolalaError) in
            if (10..<60).contains(now) { throw gone }
            return Self.report()
        }
        #expect(code == .sessionEnded)
        #expect(script.events == [.synced(Self.report()), .offline(gone), .online])
        let never = Script(end: 300)
        #expect(await never.watch { _ throws(PhotolalaError) in throw gone } == .folderUnusable)
        #expect(never.syncs == [0])
    }

    @Test("an incomplete sync is retried automatically and reported once")
    func undone() async {
        let script = Script(end: 300)
        _ = await script.watch { Self.report(held: $0 < 180 ? 1 : 0) }
        #expect(script.syncs == [0, 60, 180])
        #expect(script.events == [.synced(Self.report(held: 1))])
    }

    @Test("another running sync is reported separately from a missing connection")
    func underWay() async {
        let script = Script(end: 60)
        _ = await script.watch { now throws(PhotolalaError) in
            guard now > 10 else { throw PhotolalaError(code: now < 5 ? .serverUnreachable : .syncUnderWay, detail: "") }
            return Self.report()
        }
        #expect(script.syncs == [0, 5, 15])
        #expect(
            script.events == [
                .offline(PhotolalaError(code: .serverUnreachable, detail: "")), .online, .underWay,
                .synced(Self.report()),
            ])
    }

    @Test("a missing connection is reported once, retried, and reported again when it is restored")
    func offline() async {
        let script = Script(end: 60)
        _ = await script.watch { now throws(PhotolalaError) in
            guard now > 30 else { throw PhotolalaError(code: .serverUnreachable, detail: "no server") }
            return Self.report()
        }
        #expect(script.syncs == [0, 5, 15, 35])
        #expect(
            script.events == [
                .offline(PhotolalaError(code: .serverUnreachable, detail: "no server")), .online,
                .synced(Self.report()),
            ])
    }
}
