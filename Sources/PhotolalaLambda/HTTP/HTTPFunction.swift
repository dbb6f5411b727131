import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaServer

/// Answers HTTP requests with the responder of the server.
package struct HTTPFunction<Responder: HTTPResponder>: InvocationHandler where Responder.Context == ServerContext {
    private let responder: Responder
    private let logger: Logger

    package init(_ responder: Responder, logger: Logger) { (self.responder, self.logger) = (responder, logger) }

    package func handle(_ invocation: Invocation) async -> InvocationOutcome {
        let event: HTTPEvent
        do throws(HTTPEvent.Refusal) { event = try HTTPEvent(invocation.event) } catch {
            switch error {
            case .invalid(let failure): return .failure(failure)
            case .headTooLarge:
                return Self.answer(
                    Self.problem(
                        .requestHeaderFieldsTooLarge, .invalidRequest,
                        "The request line and header fields are larger than 16 KiB.", invocation))
            }
        }
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(invocation.requestID)"
        do {
            let context = ServerContext(logger: logger, peer: event.client)
            return .answer(try await HTTPResult.answer(responder.respond(to: event.request, context: context)))
        } catch is HTTPResult.TooLarge {
            return Self.answer(
                Self.problem(
                    .internalServerError, .internalError, InvocationFailure.tooLarge.errorMessage, invocation))
        } catch {
            let (problem, retryAfter) = DirectCall.failure(error, requestID: invocation.requestID, logger)
            return Self.answer(problem, retryAfter: retryAfter)
        }
    }

    package func timeout(of invocation: Invocation) -> InvocationOutcome {
        Self.answer(
            Self.problem(
                .serviceUnavailable, .temporarilyUnavailable, InvocationFailure.timedOut.errorMessage, invocation))
    }

    private static func problem(
        _ status: HTTPResponse.Status, _ code: ErrorCode, _ detail: String, _ invocation: Invocation
    ) -> Problem {
        Problem(
            title: status.reasonPhrase, status: status.code, detail: detail, code: code,
            requestID: invocation.requestID)
    }

    private static func answer(_ problem: Problem, retryAfter: Int? = nil) -> InvocationOutcome {
        do {
            return .answer(try HTTPResult.answer(problem, retryAfter: retryAfter))
        } catch {
            return .failure(InvocationFailure(problem.code.rawValue, problem.detail))
        }
    }
}
