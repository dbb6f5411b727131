import Foundation
import Logging
import Monitoring
import ServiceLifecycle

/// Takes invocations from the runtime API and answers them, one at a time.
///
/// Between two invocations the environment may be frozen for hours, so the loop takes the next one only when nothing
/// of the last one runs any more.
package struct InvocationLoop: Service {
    /// The work around each invocation.
    package struct Surroundings: Sendable {
        /// Prepares for an invocation, within `preparationLimit`, after a pause since the last one in seconds; `nil` for
        /// the first one.
        let before: @Sendable (_ pause: TimeInterval?) async -> Void
        /// Completes what must not wait for another invocation, with the seconds that are left until the deadline.
        let after: @Sendable (_ timeLeft: TimeInterval) async -> Void

        package init(
            before: @escaping @Sendable (_ pause: TimeInterval?) async -> Void,
            after: @escaping @Sendable (_ timeLeft: TimeInterval) async -> Void
        ) {
            (self.before, self.after) = (before, after)
        }
    }

    /// The time, and its passing.
    package struct Clock: Sendable {
        let now: @Sendable () -> Date
        let sleep: @Sendable (Duration) async throws -> Void

        package init(
            now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            (self.now, self.sleep) = (now, sleep)
        }

        /// Cancels work that takes longer, and waits for its end.
        func limit(_ limit: Duration, _ work: @escaping @Sendable () async -> Void) async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await work() }
                group.addTask { try? await sleep(limit) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// The longest time kept free before Lambda's deadline, in seconds.
    private static let longestMargin = 1.0

    /// The longest preparation in seconds. A store that hangs must not use up the time of every request.
    static let preparationLimit = 2.0

    private let api: any RuntimeAPI
    private let handler: any InvocationHandler
    private let surroundings: Surroundings
    private let clock: Clock
    private let logger: Logger

    package init(
        api: any RuntimeAPI, handler: any InvocationHandler, surroundings: Surroundings, clock: Clock, logger: Logger
    ) {
        (self.api, self.handler, self.surroundings) = (api, handler, surroundings)
        (self.clock, self.logger) = (clock, logger)
    }

    /// Runs until a graceful shutdown, which lets the current invocation finish.
    /// - Throws: `RuntimeAPIError` if the runtime API fails.
    package func run() async throws {
        var lastEnd: Date?
        while let invocation = try await next() {
            try await answer(invocation, after: lastEnd.map { clock.now().timeIntervalSince($0) })
            await surroundings.after(invocation.deadline.timeIntervalSince(clock.now()))
            lastEnd = clock.now()
        }
    }

    /// Returns `nil` if the process ends.
    private func next() async throws -> Invocation? {
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return nil }
        let result = await cancelWhenGracefulShutdown { [api] () -> Result<Invocation, RuntimeAPIError> in
            do throws(RuntimeAPIError) { return .success(try await api.next()) } catch { return .failure(error) }
        }
        if case .failure = result, Task.isShuttingDownGracefully || Task.isCancelled { return nil }
        return try result.get()
    }

    /// Answers in time. A handler that is late is cancelled, its caller gets an answer, and then its end is awaited.
    private func answer(_ invocation: Invocation, after pause: TimeInterval?) async throws(RuntimeAPIError) {
        let time = invocation.deadline.timeIntervalSince(clock.now())
        let limit = Duration.seconds(max(0, time - min(Self.longestMargin, time / 10)))
        let result = await withTaskGroup(of: InvocationOutcome?.self) { group -> Result<Void, RuntimeAPIError> in
            group.addTask { [clock] in
                await clock.limit(.seconds(Self.preparationLimit)) { await surroundings.before(pause) }
                // The caller has its answer already.
                guard !Task.isCancelled else { return nil }
                return await handler.handle(invocation)
            }
            group.addTask { [clock] in (try? await clock.sleep(limit)) == nil ? nil : handler.timeout(of: invocation) }
            var outcome: InvocationOutcome?
            while outcome == nil, let ended = await group.next() { outcome = ended }
            group.cancelAll()
            do throws(RuntimeAPIError) {
                try await deliver(outcome ?? .failure(.timedOut), invocation)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func deliver(
        _ outcome: InvocationOutcome, _ invocation: Invocation
    ) async throws(RuntimeAPIError) {
        switch outcome {
        case .answer(let bytes) where bytes.readableBytes <= PayloadLimit.bytes:
            do throws(RuntimeAPIError) {
                try await api.answer(invocation.id, bytes)
            } catch .tooLarge {
                // Lambda has reported the error to the caller, and accepts nothing more for this invocation.
                log(.tooLarge, invocation)
            }
        case .answer: try await fail(invocation, .tooLarge)
        case .failure(let failure): try await fail(invocation, failure)
        }
    }

    private func fail(_ invocation: Invocation, _ failure: InvocationFailure) async throws(RuntimeAPIError) {
        log(failure, invocation)
        try await api.fail(invocation.id, failure)
    }

    private func log(_ failure: InvocationFailure, _ invocation: Invocation) {
        let isClientError = failure.problem.map { $0.status < 500 } ?? false
        logger.log(
            level: isClientError ? .info : .warning, .invocationFailed, "invocation failed",
            metadata: ["hb.request.id": "\(invocation.requestID)", "code": "\(failure.errorType)"])
    }
}
