import Foundation
import NIOCore
import PhotolalaAPI

/// One event for the function.
package struct Invocation: Sendable {
    package let id: String
    /// When Lambda stops the function.
    package let deadline: Date
    package let event: ByteBuffer

    package init(id: String, deadline: Date, event: ByteBuffer) {
        (self.id, self.deadline, self.event) = (id, deadline, event)
    }

    /// The id of the request in the log and in answers: the invocation's id as 32 hexadecimal digits, so that it can be
    /// found in Lambda's own log too.
    var requestID: String { id.lowercased().filter { $0 != "-" } }
}

/// The result of an invocation.
package enum InvocationOutcome: Sendable {
    case answer(ByteBuffer)
    case failure(InvocationFailure)
}

/// An error in the form of Lambda's runtimes.
package struct InvocationFailure: Error, Encodable, Sendable, Equatable {
    /// The stable name.
    package let errorType: String
    /// The text for a person.
    package let errorMessage: String
    /// The API's own description of the error, for the direct functions.
    package var problem: Problem?
    /// The seconds to wait before a retry, as the field `Retry-After` over HTTP.
    package var retryAfter: Int?

    package init(_ errorType: String, _ errorMessage: String, problem: Problem? = nil, retryAfter: Int? = nil) {
        (self.errorType, self.errorMessage) = (errorType, errorMessage)
        (self.problem, self.retryAfter) = (problem, retryAfter)
    }

    static func invalidEvent(_ what: String) -> InvocationFailure { InvocationFailure("invalid_event", what) }

    static let timedOut = InvocationFailure(
        "temporarily_unavailable", "The function did not finish in time. Try again.")

    static let tooLarge = InvocationFailure(
        "response_too_large", "The response is larger than the 6 MB that AWS Lambda can return.")
}

/// The largest event and answer of an invocation (AWS Lambda quotas, "Invocation payload").
package enum PayloadLimit {
    package static let bytes = 6 << 20
}

/// Answers invocations, one at a time.
package protocol InvocationHandler: Sendable {
    /// Answers an invocation. Nothing that it started runs any more when it returns. It is cancelled a little before
    /// the invocation's deadline.
    func handle(_ invocation: Invocation) async -> InvocationOutcome

    /// Returns the result of an invocation that was not answered in time.
    func timeout(of invocation: Invocation) -> InvocationOutcome
}
