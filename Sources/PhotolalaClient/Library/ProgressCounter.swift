import PhotoLibrary
import Synchronization

/// Adds up the events of a transfer's several tasks.
final class ProgressCounter: Sendable {
    private struct State {
        var progress = TransferProgress()
        /// Bytes of files that are settled, and of those that went over the network.
        var settled: Int64 = 0
        var moved: Int64 = 0
        /// Bytes of each file that is under way.
        var underWay: [LibraryPath: Int64] = [:]
    }

    private let state = Mutex(State())
    private let report: @Sendable (TransferProgress) -> Void

    init(report: @escaping @Sendable (TransferProgress) -> Void) { self.report = report }

    func note(_ event: BackupEvent) {
        switch event {
        case .scanning, .committed: break
        case .walked(let found, let isOver):
            // Before that there is no share of the whole and no time left to tell.
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

    /// Sizes come from a catalog that anyone may have written: sums wrap and never trap. A file that is tried again
    /// begins at its first byte, and takes nothing back of what was told.
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
