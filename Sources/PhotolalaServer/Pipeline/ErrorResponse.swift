import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import UseCases

/// An error's HTTP status, problem details and log entry.
struct ErrorResponse {
    let status: HTTPResponse.Status
    let code: ErrorCode
    /// The text for a person. Never contains internal details.
    let detail: String
    /// The cause, for the log only.
    var reason: String?
    var retryAfter: Int?
    var unknownIdentity: UnknownIdentity?

    init(
        _ status: HTTPResponse.Status, _ code: ErrorCode, _ detail: String, reason: String? = nil,
        retryAfter: Int? = nil, unknownIdentity: UnknownIdentity? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.reason = reason
        self.retryAfter = retryAfter
        self.unknownIdentity = unknownIdentity
    }

    /// Returns the problem document (RFC 9457).
    func problem(_ requestID: String) -> Problem {
        Problem(
            title: status.reasonPhrase, status: status.code, detail: detail, code: code, requestID: requestID,
            pendingIdentity: unknownIdentity?.pendingIdentity, pendingIdentityExpiresAt: unknownIdentity?.expiresAt,
            hints: unknownIdentity.map { $0.hints.map(AccountHint.init) })
    }

    /// Returns the problem document as a response.
    /// - Parameter sent: The token scheme that the request used, `nil` without a token.
    func response(requestID: String, sent: TokenType?) -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if status == .unauthorized { headers[.wwwAuthenticate] = challenge(sent) }
        let body = (try? WireJSON.encoder().encode(problem(requestID))).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }

    /// Returns the `WWW-Authenticate` challenge for both token schemes (RFC 9449 section 7.2). Contains an error code
    /// only if the request had a token or proof that was rejected (RFC 6750 section 3.1).
    private func challenge(_ sent: TokenType?) -> String {
        let algorithms = #"algs="\#(DPoP.algorithm)""#
        if code == .useDPoPNonce || code == .invalidDPoPProof { return #"DPoP error="\#(code)", \#(algorithms)"# }
        let isAboutToken = code == .unauthorized || code == .sessionEnded
        return switch isAboutToken ? sent : nil {
        case nil: "Bearer, DPoP \(algorithms)"
        case .bearer: #"Bearer error="invalid_token", DPoP \#(algorithms)"#
        case .dpop: #"DPoP error="invalid_token", \#(algorithms)"#
        }
    }
}
