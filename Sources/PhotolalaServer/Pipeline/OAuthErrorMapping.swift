import Foundation
import HTTPTypes
import Hummingbird
import Monitoring
import NIOCore

/// Converts errors of the OAuth endpoints to OAuth error responses (RFC 6749 section 5.2) in place of problem
/// documents.
struct OAuthErrorMapping: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as OAuthError {
            if let reason = error.reason {
                context.logger.log(
                    level: error.status.code >= 500 ? .error : .info, .requestRejected, "request rejected",
                    metadata: ["code": "\(error.code)", "reason": "\(reason)"])
            }
            return error.response
        } catch let error as any HTTPResponseError where error.status.code < 500 {
            return OAuthError(error.status, "The form is malformed, too large or timed out.").response
        } catch {
            context.logger.error(.requestRejected, "request rejected", metadata: ["reason": "\(error)"])
            return OAuthError(.internalServerError, "Internal server error.", code: "server_error").response
        }
    }
}

/// An error of an OAuth endpoint.
struct OAuthError: Error {
    let status: HTTPResponse.Status
    let code: String
    /// The description for a client developer.
    let description: String
    let headers: HTTPFields
    /// The cause, for the log only.
    let reason: String?

    init(
        _ status: HTTPResponse.Status, _ description: String, code: String = "invalid_request",
        headers: HTTPFields = [:], reason: String? = nil
    ) {
        self.status = status
        self.code = code
        self.description = description
        self.headers = headers
        self.reason = reason
    }

    var response: Response {
        var headers = headers
        headers[.contentType] = MediaType.json
        headers[.cacheControl] = "no-store"
        let body = try? JSONEncoder().encode(["error": code, "error_description": description])
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body ?? Data())))
    }
}
