import PhotoCatalog
import PhotoSync
import Synchronization

/// Aggregates the events of a transfer's concurrent tasks.
final class ProgressCounter: Sendable {
    private struct State {
        var progress = TransferProgress()
        /// Bytes of finished files, and bytes sent or received over the network for them.
        var settledBytes: Int64 = 0
        var movedBytes: Int64 = 0
        var leftOutFiles = 0
        /// Bytes of each file in progress.
        var inFlight: [LibraryPath: Int64] = [:]
        private var current: LibraryPath?

        mutating func recordMoved(_ path: LibraryPath, _ bytes: Int64) {
            inFlight[path] = bytes
            guard current != path else { return }
            (current, progress.currentFile) = (path, path.description)
        }

        mutating func endFile(_ path: LibraryPath) {
            inFlight[path] = nil
            if current == path { (current, progress.currentFile) = (nil, nil) }
        }
    }

    private let state = Mutex(State())
    private let report: @Sendable (TransferProgress) -> Void

    init(report: @escaping @Sendable (TransferProgress) -> Void) { self.report = report }

    func record(_ event: BackupEvent) {
        switch event {
        case .scanning, .committed: break
        case .foundFiles(let found, let isOver):
            // Before the scan completes, neither a percentage nor a remaining time can be computed.
            guard isOver else { return }
            change {
                // Resources that turn out not to be photos count as finished, so that the total never decreases.
                $0.leftOutFiles = max(0, $0.progress.totalFiles - found.totalFiles)
                $0.progress.totalFiles = max($0.progress.totalFiles, found.totalFiles)
                $0.progress.totalBytes = found.totalBytes
                $0.progress.finishedFiles = found.finishedFiles + $0.leftOutFiles
            }
        case .downloading(let path, let fraction):
            change { $0.progress.downloading[path.description] = fraction < 1 ? fraction : nil }
        case .sent(let path, let bytes, _): change { $0.recordMoved(path, bytes) }
        case .finished(let path, _, let now):
            change {
                $0.endFile(path)
                $0.progress.downloading[path.description] = nil
                ($0.settledBytes, $0.movedBytes) = (now.finishedBytes, now.uploadedBytes)
                $0.progress.finishedFiles = now.finishedFiles + $0.leftOutFiles
                $0.progress.failedFiles = now.failedFiles
            }
        }
    }

    func record(_ event: RestoreEvent) {
        switch event {
        case .started(let start):
            change { ($0.progress.totalFiles, $0.progress.totalBytes) = (start.totalFiles, start.totalBytes) }
        case .received(let path, let bytes, _): change { $0.recordMoved(path, bytes) }
        case .finished(let path, _, let now):
            change {
                $0.endFile(path)
                ($0.settledBytes, $0.movedBytes) = (now.finishedBytes, now.restoredBytes)
                ($0.progress.finishedFiles, $0.progress.failedFiles) = (now.finishedFiles, now.failedFiles)
            }
        }
    }

    func record(_ event: VerificationEvent) {
        switch event {
        case .started(let start):
            change { ($0.progress.totalFiles, $0.progress.totalBytes) = (start.totalFiles, start.totalBytes) }
        case .received(let path, let bytes): change { $0.recordMoved(path, bytes) }
        case .finished(let path, let now):
            change {
                $0.endFile(path)
                ($0.settledBytes, $0.movedBytes) = (now.finishedBytes, now.finishedBytes)
                ($0.progress.finishedFiles, $0.progress.failedFiles) = (now.finishedFiles, now.failedFiles)
            }
        }
    }

    /// Applies a change and reports the new progress. Sizes come from an untrusted catalog, so sums wrap instead of
    /// trapping. A file that is retried starts at its first byte, but the reported progress never decreases.
    private func change(_ body: (inout State) -> Void) {
        let progress = state.withLock { state in
            body(&state)
            let partial = state.inFlight.values.reduce(0, &+)
            state.progress.finishedBytes = max(state.progress.finishedBytes, state.settledBytes &+ partial)
            state.progress.movedBytes = max(state.progress.movedBytes, state.movedBytes &+ partial)
            return state.progress
        }
        report(progress)
    }
}
