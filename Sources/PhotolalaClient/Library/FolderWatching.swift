/// A continuous sync of a folder and the library. Iterate over it to receive its events.
///
/// It starts immediately and runs until it is cancelled, its last reference is released, or an error occurs that
/// waiting does not resolve, such as an ended session. The iteration throws that error.
public final class FolderWatching: AsyncSequence, Sendable {
    private let work: Task<Void, Never>
    private let events: AsyncThrowingStream<SyncWatchEvent, any Error>
    /// The progress of the current sync, buffering only the newest value. Supports one iteration at a time.
    public let progress: AsyncStream<SyncProgress>

    init(
        _ body:
            @escaping @Sendable (
                _ report: @escaping @Sendable (SyncWatchEvent) -> Void,
                _ progress: @escaping @Sendable (SyncProgress) -> Void
            ) async throws(PhotolalaError) -> Never
    ) {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: SyncWatchEvent.self)
        let (progress, progressContinuation) = AsyncStream.makeStream(
            of: SyncProgress.self, bufferingPolicy: .bufferingNewest(1))
        (self.events, self.progress) = (events, progress)
        work = Task {
            defer { progressContinuation.finish() }
            do {
                try await body({ continuation.yield($0) }, { progressContinuation.yield($0) })
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { work.cancel() }

    /// Returns an iterator over the events. Supports one iteration at a time.
    public func makeAsyncIterator() -> AsyncThrowingStream<SyncWatchEvent, any Error>.Iterator {
        events.makeAsyncIterator()
    }

    /// Cancels the sync as soon as possible; the iteration throws `cancelled`. Completed work is kept.
    public func cancel() { work.cancel() }
}
