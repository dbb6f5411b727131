import Foundation
import Synchronization

/// The data that a callback pushes, as a sequence. The callback is blocked while the consumer is slower, so that only a
/// few chunks are in memory.
struct PushedData: AsyncSequence, Sendable {
    /// Starts a request whose chunks are passed to the receiver; returns a function that cancels the request.
    let start: @Sendable (Receiver) -> @Sendable () -> Void

    /// The number of chunks that are buffered.
    static let capacity = 4

    func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        let receiver = Receiver(continuation)
        let handle = CancelHandle()
        continuation.onTermination = { reason in
            receiver.end()
            if case .cancelled = reason { handle.cancel() }
        }
        handle.set(start(receiver))
        return Iterator(stream: stream.makeAsyncIterator(), receiver: receiver)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncThrowingStream<Data, any Error>.Iterator
        fileprivate let receiver: Receiver

        mutating func next() async throws -> Data? {
            let data = try await stream.next()
            receiver.releaseSlot()
            return data
        }
    }

    /// Receives the chunks of a request, on any thread.
    final class Receiver: Sendable {
        private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
        private let slots = DispatchSemaphore(value: 0)
        private let isOver = Mutex(false)

        fileprivate init(_ continuation: AsyncThrowingStream<Data, any Error>.Continuation) {
            self.continuation = continuation
            for _ in 0..<PushedData.capacity { slots.signal() }
        }

        /// Passes a chunk on. Blocks while too many chunks wait; after the end it returns immediately.
        func receive(_ data: Data) {
            slots.wait()
            if isOver.withLock({ $0 }) { slots.signal() } else { continuation.yield(data) }
        }

        /// Ends the sequence, with an error if the request failed.
        func finish(_ error: (any Error)?) { continuation.finish(throwing: error) }

        fileprivate func releaseSlot() { slots.signal() }

        /// Unblocks the request once nothing is consumed any more.
        fileprivate func end() {
            isOver.withLock { $0 = true }
            slots.signal()
        }
    }
}

/// The function that cancels a request, which can be called before the request has started.
private final class CancelHandle: Sendable {
    private enum State { case starting, running(@Sendable () -> Void), cancelled }

    private let state = Mutex(State.starting)

    func set(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(cancel)
            return false
        }
        if isLate { cancel() }
    }

    func cancel() {
        let running: (@Sendable () -> Void)? = state.withLock { state in
            defer { state = .cancelled }
            if case .running(let cancel) = state { return cancel }
            return nil
        }
        running?()
    }
}
