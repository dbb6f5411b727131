import AsyncHTTPClient
import NIOCore
import Synchronization

/// A response stream that fails with `connectionLost` when its deadline passes.
struct TimedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Failure = any Error

    let body: HTTPClientResponse.Body
    let rule: BodyReader.Deadline
    let longestSilence: Duration?
    let deadlines: Deadlines

    struct AsyncIterator: AsyncIteratorProtocol {
        let reader: BodyReader

        mutating func next() async throws -> ByteBuffer? { try await reader.next() }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reader: BodyReader(ChunkSource(body), rule: rule, longestSilence: longestSilence, deadlines))
    }
}

/// Reads one body and cancels the current read when the deadline passes, which closes the connection.
final class BodyReader: Sendable {
    enum Deadline: Sendable {
        /// The last byte arrives before this time of the clock.
        case until(Duration)
        /// Reads may wait for `allowance` in total, plus one second for each `bytesPerSecond` received. The time
        /// between reads does not count.
        case minimumRate(allowance: Duration, bytesPerSecond: Int)
    }

    private struct State {
        var reading: Task<ByteBuffer?, any Error>?
        var isLate = false
        var waitStart: Duration?
        /// How long reads may still wait; used only with a pace.
        var allowance: Duration
        /// The id of the deadline; `nil` before the first read.
        var watch: Int?
    }

    private let source: ChunkSource
    private let rule: Deadline
    private let idleTimeout: Duration?
    private let deadlines: Deadlines
    private let state: Mutex<State>

    /// - Parameter longestSilence: The maximum wait of one read, regardless of the rule.
    init(_ source: ChunkSource, rule: Deadline, longestSilence: Duration? = nil, _ deadlines: Deadlines) {
        self.source = source
        self.rule = rule
        self.idleTimeout = longestSilence
        self.deadlines = deadlines
        if case .minimumRate(let allowance, _) = rule {
            state = Mutex(State(allowance: allowance))
        } else {
            state = Mutex(State(allowance: .zero))
        }
    }

    deinit { if let id = state.withLock({ $0.watch }) { deadlines.remove(id) } }

    func next() async throws(TransportError) -> ByteBuffer? {
        guard let reading = begin() else { throw Self.deadlineExceeded }
        let result = await withTaskCancellationHandler {
            await reading.result
        } onCancel: {
            reading.cancel()
        }
        let isLate = end(received: (try? result.get())?.readableBytes ?? 0)
        guard !isLate else { throw Self.deadlineExceeded }
        switch result {
        case .success(let chunk?): return chunk
        case .success(nil):
            if let id = state.withLock({ $0.watch }) { deadlines.remove(id) }
            guard !reading.isCancelled else { throw .connectionLost("cancelled") }
            return nil
        case .failure(let error): throw .connectionLost("\(error)")
        }
    }

    private static let deadlineExceeded = TransportError.connectionLost("deadline exceeded")

    /// Starts to read the next chunk; returns `nil` once the deadline has passed.
    private func begin() -> Task<ByteBuffer?, any Error>? {
        let now = deadlines.clock.now()
        return state.withLock { state in
            if isPastDeadline(state, at: now) { state.isLate = true }
            guard !state.isLate else { return nil }
            let reading = Task { [source] in try await source.next() }
            state.reading = reading
            state.waitStart = now
            if state.watch == nil {
                state.watch = deadlines.watch(now + timeLeft(state, at: now)) { [weak self] in self?.check() }
            }
            return reading
        }
    }

    /// Returns whether the deadline has passed between two reads.
    private func isPastDeadline(_ state: State, at now: Duration) -> Bool {
        switch rule {
        case .until(let deadline): now >= deadline
        case .minimumRate: state.allowance <= .zero
        }
    }

    /// - Returns: Whether the deadline has passed.
    private func end(received: Int) -> Bool {
        let now = deadlines.clock.now()
        return state.withLock { state in
            if case .minimumRate(let limit, let rate) = rule, let since = state.waitStart {
                let earned = Duration.seconds(Double(received) / Double(max(1, rate)))
                state.allowance = min(limit, state.allowance - (now - since) + earned)
            }
            (state.reading, state.waitStart) = (nil, nil)
            return state.isLate
        }
    }

    private func timeLeft(_ state: State, at now: Duration) -> Duration {
        let remaining =
            switch rule {
            case .until(let deadline): deadline - now
            case .minimumRate(let limit, _): state.waitStart.map { state.allowance - (now - $0) } ?? limit
            }
        guard let idleTimeout else { return remaining }
        return min(remaining, state.waitStart.map { idleTimeout - (now - $0) } ?? idleTimeout)
    }

    /// Returns when the deadline may have passed; `nil` once it has, in which case the current read is cancelled.
    private func check() -> Duration? {
        let now = deadlines.clock.now()
        return state.withLock { state in
            let remaining = timeLeft(state, at: now)
            guard remaining <= .zero else { return now + remaining }
            state.isLate = true
            state.reading?.cancel()
            return nil
        }
    }
}

/// The iterator of a body, accessible to consecutive tasks.
actor ChunkSource {
    private var chunks: HTTPClientResponse.Body.AsyncIterator

    init(_ body: HTTPClientResponse.Body) { chunks = body.makeAsyncIterator() }

    func next() async throws -> ByteBuffer? {
        var current = chunks
        defer { chunks = current }
        return try await current.next(isolation: self)
    }
}
