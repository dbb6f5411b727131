import Foundation
import NIOCore
import PhotolalaLambda
import PhotolalaTesting
import Synchronization

/// A runtime API in memory, which records what the loop does.
final class FakeRuntimeAPI: RuntimeAPI {
    private struct State {
        var invocations: [Invocation]
        var calls: [String] = []
        var answers: [String: String] = [:]
        var failures: [String: InvocationFailure] = [:]
    }

    private let state: Mutex<State>
    private let onNext: @Sendable () -> Void
    /// Opened with each answer or failure.
    let delivered = Gate()
    /// Opened when the loop waits for more invocations than there are.
    let waiting = Gate()
    private let waits: Bool
    /// Whether answers are too large for it.
    private let refusesAnswers: Bool

    /// - Parameters:
    ///   - waits: Whether `next` waits after the last invocation, as Lambda's does. Otherwise it fails.
    ///   - onNext: Called when the loop takes an invocation.
    init(
        _ invocations: [Invocation], waits: Bool = false, refusesAnswers: Bool = false,
        onNext: @escaping @Sendable () -> Void = {}
    ) {
        state = Mutex(State(invocations: invocations))
        (self.waits, self.refusesAnswers, self.onNext) = (waits, refusesAnswers, onNext)
    }

    /// The loop's calls, in order.
    var calls: [String] { state.withLock { $0.calls } }
    var failures: [String: InvocationFailure] { state.withLock { $0.failures } }

    func answer(of id: String) -> String? { state.withLock { $0.answers[id] } }

    func next() async throws(RuntimeAPIError) -> Invocation {
        onNext()
        let next = state.withLock { state -> Invocation? in
            state.calls.append("next")
            return state.invocations.isEmpty ? nil : state.invocations.removeFirst()
        }
        if let next { return next }
        guard waits else { throw .unreachable("end") }
        waiting.open()
        // Returns when the loop cancels it.
        await Gate().wait()
        throw .unreachable("cancelled")
    }

    func answer(_ id: String, _ bytes: ByteBuffer) async throws(RuntimeAPIError) {
        state.withLock { state in
            state.calls.append("answer \(id)")
            state.answers[id] = String(buffer: bytes)
        }
        delivered.open()
        if refusesAnswers { throw .tooLarge }
    }

    func fail(_ id: String, _ failure: InvocationFailure) async throws(RuntimeAPIError) {
        state.withLock { state in
            state.calls.append("error \(id)")
            state.failures[id] = failure
        }
        delivered.open()
    }

    func failInitialization(_ failure: InvocationFailure) async throws(RuntimeAPIError) {
        state.withLock { $0.failures["init"] = failure }
    }
}

extension Invocation {
    /// An invocation of a test whose clock is `TestClock`, with 30 seconds left.
    static func test(_ id: String, _ event: String = "{}", seconds: TimeInterval = 30) -> Invocation {
        Invocation(
            id: id, deadline: TestClock().now.addingTimeInterval(seconds), event: ByteBuffer(string: event))
    }
}

/// Answers with a closure.
struct ClosureHandler: InvocationHandler {
    let act: @Sendable (Invocation) async -> InvocationOutcome

    func handle(_ invocation: Invocation) async -> InvocationOutcome { await act(invocation) }
    func timeout(of invocation: Invocation) -> InvocationOutcome { .answer(ByteBuffer(string: "late")) }
}
