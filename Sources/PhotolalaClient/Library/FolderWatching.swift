/// A folder and the library that are kept equal: go through it to hear what happens.
///
/// It begins at once and goes on until it is cancelled, nobody holds it any more, or something happens that waiting does not
/// mend, as a session that ended: that is thrown by the loop.
public final class FolderWatching: AsyncSequence, Sendable {
    private let work: Task<Void, Never>
    private let rounds: AsyncThrowingStream<SyncRound, any Error>
    /// How far the sync under way is, the newest each time. One loop at a time.
    public let progress: AsyncStream<SyncProgress>

    init(
        _ body:
            @escaping @Sendable (
                _ report: @escaping @Sendable (SyncRound) -> Void,
                _ progress: @escaping @Sendable (SyncProgress) -> Void
            ) async throws(PhotolalaError) -> Never
    ) {
        let (rounds, told) = AsyncThrowingStream.makeStream(of: SyncRound.self)
        let (progress, newest) = AsyncStream.makeStream(of: SyncProgress.self, bufferingPolicy: .bufferingNewest(1))
        (self.rounds, self.progress) = (rounds, progress)
        work = Task {
            defer { newest.finish() }
            do {
                try await body({ told.yield($0) }, { newest.yield($0) })
            } catch {
                told.finish(throwing: error)
            }
        }
    }

    deinit { work.cancel() }

    /// What happens, each round of it. One loop at a time.
    public func makeAsyncIterator() -> AsyncThrowingStream<SyncRound, any Error>.Iterator { rounds.makeAsyncIterator() }

    /// Stops it as soon as possible; the loop throws `cancelled`. What was done stays done.
    public func cancel() { work.cancel() }
}
