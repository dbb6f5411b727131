import NIOCore

/// The interface between an execution environment and AWS Lambda.
package protocol RuntimeAPI: Sendable {
    /// Waits for the next invocation, without a time limit. The environment may be frozen during the wait.
    func next() async throws(RuntimeAPIError) -> Invocation

    func answer(_ id: String, _ bytes: ByteBuffer) async throws(RuntimeAPIError)

    func fail(_ id: String, _ failure: InvocationFailure) async throws(RuntimeAPIError)

    /// Reports that the function cannot start.
    func failInitialization(_ failure: InvocationFailure) async throws(RuntimeAPIError)
}

/// A failed call of the runtime API. The environment is unusable then.
package enum RuntimeAPIError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(String)
    case unexpectedStatus(Int)
    /// The answer is larger than Lambda accepts.
    case tooLarge
    /// An invocation without an id or a deadline.
    case malformedInvocation

    package var description: String {
        switch self {
        case .unreachable(let reason): "the runtime API is unreachable: \(reason)"
        case .unexpectedStatus(let status): "the runtime API answered with status \(status)"
        case .tooLarge: "the answer is too large"
        case .malformedInvocation: "an invocation has no id or no deadline"
        }
    }
}
