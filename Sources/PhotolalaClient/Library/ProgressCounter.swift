import PhotoLibrary
import Synchronization

/// Aggregates the events of a transfer's concurrent tasks.
final class ProgressCounter: Sendable {
    private struct State {
        var progress = TransferProgress()
        /// Bytes of finished files, and bytes sent or received over the network for them.
        var settled: Int64 = 0
        var moved: Int64 = 0
        /// Bytes of each file in progress.
        var underWay: [LibraryPath: Int64] = [:]
    }

    private let state = Mutex(State())
    private let report: @Sendable (TransferProgress) -> Void

    init(report: @escaping @Sendable (TransferProgress) -> Void) { self.report = report }

    func note(_ event: BackupEvent) {
        switch event {
        case .scanning, .committed: break
        case .walked(let found, let isOver):
            // Before the scan completes, neither a percentage nor a remaining time can be computed.
            guard isOver else { return }
            change { ($0.progress.totalFiles, $0.progress.totalBytes) = (found.totalFiles, found.totalBytes) }
        case .sent(let path, let bytes, _): change { $0.underWay[path] = bytes }
        case .finished(let path, _, let now):
            change {
                $0.underWay[path] = nil
                ($0.settled, $0.moved) = (now.finishedBytes, now.uploadedBytes)
                ($0.progress.finishedFiles, $0.progress.failedFiles) = (now.finishedFiles, now.failedFiles)
            }
        }
    }

    func note(_ event: RestoreEvent) {
        switch event {
        case .started(let start):
            change { ($0.progress.totalFiles, $0.progress.totalBytes) = (start.totalFiles, start.totalBytes) }
        case .received(let path, let bytes, _): change { $0.underWay[path] = bytes }
        case .finished(let path, _, let now):
            change {
                $0.underWay[path] = nil
                ($0.settled, $0.moved) = (now.finishedBytes, now.restoredBytes)
                ($0.progress.finishedFiles, $0.progress.failedFiles) = (now.finishedFiles, now.failedFiles)
            }
        }
    }

    func note(_ event: VerificationEvent) {
        switch event {
        case .started(let start):
            change { ($0.progress.totalFiles, $0.progress.totalBytes) = (start.totalFiles, start.totalBytes) }
        case .received(let path, let bytes): change { $0.underWay[path] = bytes }
        case .finished(let path, let now):
            change {
                $0.underWay[path] = nil
                ($0.settled, $0.moved) = (now.finishedBytes, now.finishedBytes)
                ($0.progress.finishedFiles, $0.progress.failedFiles) = (now.finishedFiles, now.failedFiles)
            }
        }
    }

    /// Applies a change and reports the new progress. Sizes come from an untrusted catalog, so sums wrap instead of
    /// trapping. A file that is retried starts at its first byte, but the reported progress never decreases.
    private func change(_ act: (inout State) -> Void) {
        let progress = state.withLock { state in
            act(&state)
            let partial = state.underWay.values.reduce(0, &+)
            state.progress.finishedBytes = max(state.progress.finishedBytes, state.settled &+ partial)
            state.progress.movedBytes = max(state.progress.movedBytes, state.moved &+ partial)
            return state.progress
        }
        report(progress)
    }
}
