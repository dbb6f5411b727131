import PhotolalaAPI
import Synchronization

/// The answer of a system's sheet, which a callback gives on any thread, or the cancellation of the task that waits.
final class OneAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, PhotolalaError>

    private enum State {
        case notAsked
        case waiting(CheckedContinuation<Answer, Never>)
        case given(Answer)
        case returned
    }

    private let state = Mutex(State.notAsked)

    /// Gives the answer. Later ones have no effect.
    func give(_ answer: Answer) {
        let waiting: CheckedContinuation<Answer, Never>? = state.withLock { state in
            switch state {
            case .notAsked:
                state = .given(answer)
                return nil
            case .waiting(let continuation):
                state = .returned
                return continuation
            case .given, .returned: return nil
            }
        }
        waiting?.resume(returning: answer)
    }

    /// Shows the sheet and returns its answer. Call it once.
    /// - Parameters:
    ///   - show: Shows the sheet, which gives the answer. Not called if the task is already cancelled.
    ///   - close: Closes the sheet if the task is cancelled.
    func value(
        isolation: isolated (any Actor)? = #isolation, show: () -> Void, close: @escaping @MainActor () -> Void
    ) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let given: Answer? = state.withLock { state in
                    if case .given(let answer) = state { return answer }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) } else { show() }
            }
        } onCancel: {
            give(.failure(.cancelled))
            Task { @MainActor in close() }
        }
    }
}
