import Synchronization

/// A long-running operation. Iterate over it for its progress and await its report.
///
/// ```swift
/// let backup = library.backUp(folder)
/// for await progress in backup { show(progress) }
/// let report = try await backup.report
/// ```
///
/// It starts immediately and runs, even without an observer, until it completes, is cancelled, or its last reference is
/// released. A cancelled operation can be started again and resumes.
public final class Transfer<Progress: Sendable, Report: Sendable>: AsyncSequence, Sendable {
    private let work: Task<Result<Report, PhotolalaError>, Never>
    private let progress: AsyncStream<Progress>

    /// - Parameters:
    ///   - isOvertaken: Returns whether a progress value is older than another one that a different task reported.
    ///   - body: Performs the operation and reports its progress from any task.
    init(
        isOvertaken: @escaping @Sendable (_ progress: Progress, _ by: Progress) -> Bool,
        _ body:
            @escaping @Sendable (
                _ progress: @escaping @Sendable (Progress) -> Void
            ) async throws(PhotolalaError) -> Report
    ) {
        let (progress, continuation) = AsyncStream.makeStream(
            of: Progress.self, bufferingPolicy: .bufferingNewest(1)
        )
        let latest = LatestValue<Progress>(isOvertaken: isOvertaken)
        self.progress = progress
        work = Task {
            defer { continuation.finish() }
            do throws(PhotolalaError) {
                return .success(try await body { latest.forward($0, to: continuation) })
            } catch {
                return .failure(error)
            }
        }
    }

    deinit { work.cancel() }

    /// Returns an iterator over the progress, buffering only the newest value. It ends with the operation. Supports one
    /// iteration at a time.
    public func makeAsyncIterator() -> AsyncStream<Progress>.Iterator { progress.makeAsyncIterator() }

    /// The report, available when the operation ends. Cancelling the awaiting task cancels the operation.
    /// - Throws: The reason why the operation could not start, or `cancelled`.
    public var report: Report {
        get async throws(PhotolalaError) {
            let work = work
            let result = await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }
            return try result.get()
        }
    }

    /// Cancels the operation as soon as possible. Completed work is kept.
    public func cancel() { work.cancel() }
}

extension Transfer where Progress == TransferProgress {
    convenience init(
        _ body:
            @escaping @Sendable (
                _ progress: @escaping @Sendable (TransferProgress) -> Void
            ) async throws(PhotolalaError) -> Report
    ) {
        self.init(isOvertaken: { $0.isSuperseded(by: $1) }, body)
    }
}

extension TransferProgress {
    func isSuperseded(by other: TransferProgress) -> Bool {
        totalFiles < other.totalFiles || finishedFiles < other.finishedFiles || finishedBytes < other.finishedBytes
            || movedBytes < other.movedBytes
    }
}

/// The last reported progress.
private final class LatestValue<Progress: Sendable>: Sendable {
    private let value = Mutex<Progress?>(nil)
    private let isSuperseded: @Sendable (Progress, Progress) -> Bool

    init(isOvertaken: @escaping @Sendable (Progress, Progress) -> Bool) { self.isSuperseded = isOvertaken }

    func forward(_ progress: Progress, to continuation: AsyncStream<Progress>.Continuation) {
        value.withLock { latest in
            if let latest, isSuperseded(progress, latest) { return }
            latest = progress
            continuation.yield(progress)
        }
    }
}
