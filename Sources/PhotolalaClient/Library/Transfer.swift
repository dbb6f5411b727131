import Synchronization

/// Something under way that takes long: go through it to see how far it is, and ask it for its report.
///
///     let backup = library.backUp(folder)
///     for await progress in backup { show(progress) }
///     let report = try await backup.report
///
/// It begins at once and goes on whether anybody watches or not, until it is done, it is cancelled, or nobody holds it any
/// more. Cancelled at any moment it can be begun again and goes on where it was.
public final class Transfer<Progress: Sendable, Report: Sendable>: AsyncSequence, Sendable {
    private let work: Task<Result<Report, PhotolalaError>, Never>
    private let progress: AsyncStream<Progress>

    /// - Parameters:
    ///   - isOvertaken: whether a progress was overtaken on its way by another one, told by another task.
    ///   - body: does it, and tells from any task how far it is.
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
        let latest = Latest<Progress>(isOvertaken: isOvertaken)
        self.progress = progress
        work = Task {
            defer { continuation.finish() }
            do throws(PhotolalaError) {
                return .success(try await body { latest.pass($0, to: continuation) })
            } catch {
                return .failure(error)
            }
        }
    }

    deinit { work.cancel() }

    /// How far it is, the newest each time: who looks rarely misses what was between. It ends with the transfer. One loop at a
    /// time.
    public func makeAsyncIterator() -> AsyncStream<Progress>.Iterator { progress.makeAsyncIterator() }

    /// Waits for its end. A task that is cancelled while it waits cancels the transfer.
    /// - Throws: why it could not begin, and `cancelled`.
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

    /// Stops it as soon as possible. What was done stays done.
    public func cancel() { work.cancel() }
}

extension Transfer where Progress == TransferProgress {
    convenience init(
        _ body:
            @escaping @Sendable (
                _ progress: @escaping @Sendable (TransferProgress) -> Void
            ) async throws(PhotolalaError) -> Report
    ) {
        self.init(isOvertaken: { $0.isOvertaken(by: $1) }, body)
    }
}

extension TransferProgress {
    func isOvertaken(by other: TransferProgress) -> Bool {
        totalFiles < other.totalFiles || finishedFiles < other.finishedFiles || finishedBytes < other.finishedBytes
            || movedBytes < other.movedBytes
    }
}

/// The last progress that was told.
private final class Latest<Progress: Sendable>: Sendable {
    private let value = Mutex<Progress?>(nil)
    private let isOvertaken: @Sendable (Progress, Progress) -> Bool

    init(isOvertaken: @escaping @Sendable (Progress, Progress) -> Bool) { self.isOvertaken = isOvertaken }

    func pass(_ progress: Progress, to continuation: AsyncStream<Progress>.Continuation) {
        value.withLock { latest in
            if let latest, isOvertaken(progress, latest) { return }
            latest = progress
            continuation.yield(progress)
        }
    }
}
