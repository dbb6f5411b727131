import Foundation
import PhotoLibrary
import PhotolalaAPI

/// An event of a continuous sync.
public enum SyncRound: Sendable, Equatable {
    /// A sync ended that changed something, left something incomplete, or was the first.
    case synced(SyncReport)
    /// There is no connection, or the folder is temporarily missing, for example because a disk was ejected. The sync
    /// is retried, and `online` reports its success.
    case offline(detail: String)
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
    let followFolder: @Sendable () async -> Bool
    /// Returns a value that changes when the library does.
    let libraryVersion: @Sendable () async throws(PhotolalaError) -> String
    /// Returns the seconds since an arbitrary fixed time.
    let clock: @Sendable () -> Double
    let sleep: @Sendable (Double) async -> Void
    /// Returns a value from 0 to 1.
    let jitter: @Sendable () -> Double
    let report: @Sendable (SyncRound) -> Void

    /// Runs until the task is cancelled or an error occurs that waiting does not resolve.
    func run(_ start: WatchPlan, _ inbox: WatchInbox) async throws(PhotolalaError) -> Never {
        var (plan, state) = (start, State())
        while true {
            if Task.isCancelled { throw PhotolalaError(code: .cancelled, detail: "Stopped.") }
            for signal in inbox.take() {
                plan.note(signal, at: clock())
                if signal == .watchesOnlyPart { report(.watchesOnlyPart) }
            }
            switch plan.next(at: clock()) {
            case .wait(let moment):
                let seconds = moment - clock()
                await inbox.wait { [sleep] in await sleep(seconds) }
            case .ask:
                if await followFolder() {
                    plan.note(.changed, at: clock())
                    continue
                }
                do throws(PhotolalaError) {
                    let hasChanged = try await libraryVersion() != state.version
                    plan.noteAnswer(hasChanged: hasChanged, at: clock())
                } catch { try fail(error, &plan, &state) }
            case .sync:
                _ = await followFolder()
                plan.begin()
                do throws(PhotolalaError) { try await round(&plan, &state) } catch { try fail(error, &plan, &state) }
            }
        }
    }

    private struct State {
        var version: String?
        var trouble: Trouble?
        var last: SyncReport?
    }

    private enum Trouble {
        case offline, underWay
    }

    private func round(_ plan: inout WatchPlan, _ state: inout State) async throws(PhotolalaError) {
        // Read before the sync, so that changes during the sync are detected.
        let version = try await libraryVersion()
        let result = try await sync()
        if let stopped = result.stopped { throw PhotolalaError(code: stopped.code, detail: stopped.detail) }
        state.version = version
        if state.trouble == .offline { report(.online) }
        state.trouble = nil
        let isNews = result.didSomething || (!result.isComplete && result != state.last) || state.last == nil
        if isNews { report(.synced(result)) }
        state.last = result
        let outcome = WatchPlan.Outcome.done(isWaiting: result.waitingFiles > 0, isComplete: result.isComplete)
        plan.note(outcome, jitter: jitter(), at: clock())
    }

    private func fail(
        _ error: PhotolalaError, _ plan: inout WatchPlan, _ state: inout State
    ) throws(PhotolalaError) {
        let trouble: Trouble = error.code == .syncUnderWay ? .underWay : .offline
        // A disk that was present before may return.
        let wasThere = error.code == .folderUnusable && state.last != nil
        guard error.isPassing || trouble == .underWay || wasThere else { throw error }
        if state.trouble == .offline, trouble == .underWay { report(.online) }
        if state.trouble != trouble {
            report(trouble == .underWay ? .underWay : .offline(detail: error.detail))
        }
        state.trouble = trouble
        plan.note(.failed, jitter: jitter(), at: clock())
    }
}
