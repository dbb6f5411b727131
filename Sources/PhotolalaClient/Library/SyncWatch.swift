import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What a watching sync tells.
public enum SyncRound: Sendable, Equatable {
    /// A sync ended that did something, left something undone, or was the first.
    case synced(SyncReport)
    /// There is no connection, or the folder is not there for now, as a disk that was taken out. It is tried again, and told
    /// when that succeeds.
    case offline(detail: String)
    /// It works again.
    case online
    /// Another sync of the folder is under way. It is tried again.
    case underWay
    /// The system watches no more folders, so all of them are looked at once a minute.
    case watchesOnlyPart
}

/// A sync that goes on: again and again, whenever the folder or the library has changed.
struct SyncWatch: Sendable {
    let sync: @Sendable () async throws(PhotolalaError) -> SyncReport
    /// Whether another folder stands in the folder's place than when this was asked last; from now on that is watched.
    let followFolder: @Sendable () async -> Bool
    /// Something that changes when the library does.
    let libraryVersion: @Sendable () async throws(PhotolalaError) -> String
    /// Seconds from any fixed moment.
    let clock: @Sendable () -> Double
    let sleep: @Sendable (Double) async -> Void
    /// 0 to 1.
    let jitter: @Sendable () -> Double
    let report: @Sendable (SyncRound) -> Void

    /// Goes on until the task is cancelled or something is wrong that waiting does not mend.
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
        // Asked before, so that what comes meanwhile is seen.
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
        // A disk that was there may come back.
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
