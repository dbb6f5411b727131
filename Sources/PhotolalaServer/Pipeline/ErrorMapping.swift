import HTTPTypes
import Hummingbird
import Monitoring
import NIOCore
import PhotolalaAPI
import UseCases

/// Converts every downstream error into a problem document and logs the details that must not reach the client.
struct ErrorMapping: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let answer: ErrorResponse
        do {
            return try await next(request, context)
        } catch {
            answer = Self.errorResponse(to: error)
        }
        if let reason = answer.reason {
            context.logger.log(
                level: answer.status.code >= 500 ? .error : .info, .requestRejected, "request rejected",
                metadata: ["code": "\(answer.code)", "reason": "\(reason)"]
            )
        }
        let sent = request.headers[.authorization].flatMap(AccessTokenField.init)
        return answer.response(requestID: context.requestID, sent: sent?.type)
    }

    static func errorResponse(to error: any Error) -> ErrorResponse {
        switch error {
        case let error as ServiceError: ErrorResponse(error)
        case let error as InvalidRequest: ErrorResponse(.badRequest, .invalidRequest, error.explanation)
        case is PairingCheck.Refused:
            ErrorResponse(
                .forbidden, .notAllowed, "The server is in pairing mode. Scan the code that it printed at its start.")
        case let error as any HTTPResponseError: errorResponse(toStatus: error.status)
        default: ErrorResponse(.internalServerError, .internalError, "Internal server error.", reason: "\(error)")
        }
    }

    /// Returns the answer for an error of the HTTP layer.
    private static func errorResponse(toStatus status: HTTPResponse.Status) -> ErrorResponse {
        switch status {
        case .notFound: ErrorResponse(status, .notFound, "Unknown path.")
        case .requestTimeout: ErrorResponse(status, .requestTimeout, "The request body timed out.")
        case .contentTooLarge: ErrorResponse(status, .bodyTooLarge, "The request body is too large.")
        case .unsupportedMediaType:
            ErrorResponse(status, .unsupportedMediaType, "Send JSON in UTF-8 with Content-Type: application/json.")
        case .misdirectedRequest:
            ErrorResponse(
                status, .invalidRequest, "Unknown host in the Host header. In dev, use localhost or publicURL.")
        case let status where status.code < 500:
            ErrorResponse(status, .invalidRequest, "Malformed request.")
        default: ErrorResponse(status, .internalError, "Internal server error.", reason: "\(status)")
        }
    }
}
