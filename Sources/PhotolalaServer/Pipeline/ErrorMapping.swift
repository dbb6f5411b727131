import Flows
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI

/// Converts every downstream error into a problem document and logs the details that must not reach the client.
struct ErrorMapping: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let answer: ErrorAnswer
        do {
            return try await next(request, context)
        } catch {
            answer = Self.answer(to: error)
        }
        if let reason = answer.reason {
            context.logger.log(
                level: answer.status.code >= 500 ? .error : .info, "request refused",
                metadata: ["code": "\(answer.code)", "reason": "\(reason)"]
            )
        }
        let sent = request.headers[.authorization].flatMap(AccessTokenField.init)
        return answer.response(requestID: context.requestID, sent: sent?.type)
    }

    static func answer(to error: any Error) -> ErrorAnswer {
        switch error {
        case let error as FlowError: ErrorAnswer(error)
        case let error as InvalidRequest: ErrorAnswer(.badRequest, .invalidRequest, error.explanation)
        case let error as any HTTPResponseError: answer(toStatus: error.status)
        default: ErrorAnswer(.internalServerError, .internalError, "Something went wrong here.", reason: "\(error)")
        }
    }

    /// Returns the answer for an error of the HTTP layer.
    private static func answer(toStatus status: HTTPResponse.Status) -> ErrorAnswer {
        switch status {
        case .notFound: ErrorAnswer(status, .notFound, "There is no such path.")
        case .requestTimeout: ErrorAnswer(status, .requestTimeout, "The body took too long to arrive.")
        case .contentTooLarge: ErrorAnswer(status, .bodyTooLarge, "The body is larger than this call takes.")
        case .unsupportedMediaType:
            ErrorAnswer(status, .unsupportedMediaType, "Send JSON in UTF-8 with Content-Type: application/json.")
        case .misdirectedRequest:
            ErrorAnswer(
                status, .invalidRequest, "Host names another server. In dev, call localhost or the server's publicURL.")
        case let status where status.code < 500: ErrorAnswer(status, .invalidRequest, "The request is not well-formed.")
        default: ErrorAnswer(status, .internalError, "Something went wrong here.", reason: "\(status)")
        }
    }
}
