import PhotoSync
import Synchronization

/// Aggregates the progress of consecutive folders.
final class LibraryMigrationProgress: Sendable {
    private struct State {
        var before = TransferProgress()
        var folder = TransferProgress()
    }

    private let state = Mutex(State())
    private let plan: (files: Int, bytes: Int64)
    private let report: @Sendable (TransferProgress) -> Void

    init(of plan: LibraryMigrationPlan, report: @escaping @Sendable (TransferProgress) -> Void) {
        self.plan = (plan.files, plan.bytes)
        self.report = report
    }

    @Sendable func record(_ progress: TransferProgress) {
        report(
            state.withLock { state in
                state.folder = progress
                return sum(state.before, progress)
            })
    }

    func endFolder() {
        state.withLock { $0 = State(before: sum($0.before, $0.folder)) }
    }

    private func sum(_ before: TransferProgress, _ folder: TransferProgress) -> TransferProgress {
        var sum = folder
        (sum.totalFiles, sum.totalBytes) = plan
        sum.finishedFiles += before.finishedFiles
        sum.failedFiles += before.failedFiles
        sum.finishedBytes += before.finishedBytes
        sum.movedBytes += before.movedBytes
        return sum
    }
}
