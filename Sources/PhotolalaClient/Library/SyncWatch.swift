import Foundation
import PhotoSync
import PhotolalaAPI

/// An event of a continuous sync.
public enum SyncWatchEvent: Sendable, Equatable {
    /// A sync ended that changed something, left something incomplete, or was the first.
    case synced(SyncReport)
    /// There is no connection, or the folder is temporarily missing, for example because a disk was ejected. The sync
    /// is retried, and `online` reports its success.
    case offline(PhotolalaError)
    /// The sync works again.
    case online
    /// Another sync of the folder is running. The sync is retried.
    case underWay
    /// The system cannot watch any more folders, so all of them are scanned once a minute.
    case watchesOnlyPart
}

/// A continuous sync that runs each time the folder or the library changes.
struct SyncWatch: Sendable {
    let sync: @Sendable () async throws(PhotolalaError) -> SyncReport
    /// Returns whether the folder was replaced by another one since the last call. From then on, the new one is
    /// watched.
    let updateFolderWatch: @Sendable () async -> Bool
    /// Returns a value that changes when the library does.
    let libraryVersion: @Sendable () async throws(PhotolalaError) -> String
    /// Returns the seconds since an arbitrary fixed time.
    let clock: @Sendable () -> Double
    let sleep: @Sendable (Double) async -> Void
    /// Returns a value from 0 to 1.
    let jitter: @Sendable () -> Double
    let report: @Sendable (SyncWatchEvent) -> Void

    /// Runs until the task is cancelled or an error occurs that waiting does not resolve.
    func run(_ start: WatchPlan, _ inbox: WatchInbox) async throws(PhotolalaError) -> Never {
        var (plan, state) = (start, State())
        while true {
            if Task.isCancelled { throw PhotolalaError(code: .cancelled, detail: "Cancelled.") }
            for signal in inbox.drain() {
                plan.record(signal, at: clock())
                if signal == .watchesOnlyPart { report(.watchesOnlyPart) }
            }
            switch plan.next(at: clock()) {
            case .wait(let moment):
                let seconds = moment - clock()
                await inbox.wait { [sleep] in await sleep(seconds) }
            case .checkLibrary:
                if await updateFolderWatch() {
                    plan.record(.changed, at: clock())
                    continue
                }
                do throws(PhotolalaError) {
                    let hasChanged = try await libraryVersion() != state.version
                    plan.recordAnswer(hasChanged: hasChanged, at: clock())
                } catch { try fail(error, &plan, &state) }
            case .sync:
                _ = await updateFolderWatch()
                plan.begin()
                do throws(PhotolalaError) { try await runOnce(&plan, &state) } catch { try fail(error, &plan, &state) }
            }
        }
    }

    private struct State {
        var version: String?
        var condition: ReportedCondition?
        var last: SyncReport?
    }

    private enum ReportedCondition {
        case offline, underWay
    }

    private func runOnce(_ plan: inout WatchPlan, _ state: inout State) async throws(PhotolalaError) {
        // Read before the sync, so that changes during the sync are detected.
        let version = try await libraryVersion()
        let result = try await sync()
        if let stopped = result.stopped { throw PhotolalaError(code: stopped.code, detail: stopped.detail) }
        state.version = version
        if state.condition == .offline { report(.online) }
        state.condition = nil
        let isReportable = result.didSomething || (!result.isComplete && result != state.last) || state.last == nil
        if isReportable { report(.synced(result)) }
        state.last = result
        let outcome = WatchPlan.Outcome.done(isWaiting: result.waitingFiles > 0, isComplete: result.isComplete)
        plan.record(outcome, jitter: jitter(), at: clock())
    }

    private func fail(
        _ error: PhotolalaError, _ plan: inout WatchPlan, _ state: inout State
    ) throws(PhotolalaError) {
        let condition: ReportedCondition = error.code == .syncUnderWay ? .underWay : .offline
        // A disk that was present before may return.
        let wasThere = error.code == .folderUnusable && state.last != nil
        guard error.isTransient || condition == .underWay || wasThere else { throw error }
        if state.condition == .offline, condition == .underWay { report(.online) }
        if state.condition != condition {
            report(condition == .underWay ? .underWay : .offline(error))
        }
        state.condition = condition
        plan.record(.failed, jitter: jitter(), at: clock())
    }
}
