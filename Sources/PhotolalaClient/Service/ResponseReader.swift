import Foundation
import HTTPTypes
import PhotolalaAPI

/// The result of a call: its body and the version tag of the response.
package struct ServiceResponse<Value: Sendable>: Sendable {
    package let value: Value
    /// The response's `ETag`, unchanged.
    package let version: String?
}

/// Reads a response according to the API contract. The response may come from any other server, such as a proxy or the
/// login page of a captive portal.
struct ResponseReader {
    let server: ServerAddress
    let provider: ProviderName?
    /// Whether the request was sent to an OAuth endpoint.
    var isOAuth = false

    func read<Answer: Decodable & Sendable>(
        _ type: Answer.Type, status: Int, headers: HTTPFields, bytes: Data
    ) throws(PhotolalaError) -> ServiceResponse<Answer> {
        guard (200..<300).contains(status) else { throw failure(status: status, headers: headers, bytes: bytes) }
        if let nothing = EmptyBody() as? Answer { return ServiceResponse(value: nothing, version: headers[.eTag]) }
        if let image = bytes as? Answer, mediaType(headers)?.hasPrefix("image/") == true {
            return ServiceResponse(value: image, version: headers[.eTag])
        }
        guard mediaType(headers) == "application/json", let value = try? WireJSON.decoder().decode(type, from: bytes)
        else {
            throw Self.notPhotolala(server, "unexpected response (HTTP \(status))", status: status)
        }
        return ServiceResponse(value: value, version: headers[.eTag])
    }

    static func notPhotolala(_ server: ServerAddress, _ reason: String, status: Int? = nil) -> PhotolalaError {
        PhotolalaError(
            code: .notPhotolala, status: status,
            detail: "\(server) is not a Photolala server: \(reason). Check the address."
        )
    }

    private func failure(status: Int, headers: HTTPFields, bytes: Data) -> PhotolalaError {
        let retryAfter = headers[.retryAfter].flatMap { Int($0) }.flatMap { (0...86_400).contains($0) ? $0 : nil }
        if mediaType(headers) == "application/problem+json",
            let problem = try? WireJSON.decoder().decode(Problem.self, from: bytes)
        {
            return PhotolalaError(problem: problem, status: status, retryAfter: retryAfter, provider: provider)
        }
        if isOAuth, mediaType(headers) == "application/json",
            let refusal = try? JSONDecoder().decode(OAuthErrorResponse.self, from: bytes)
        {
            return refusal.failure(status: status, retryAfter: retryAfter)
        }
        switch status {
        case 429:
            return PhotolalaError(
                code: .rateLimited, status: status, detail: "Too many requests to \(server).", retryAfter: retryAfter
            )
        case 502...504:
            return PhotolalaError(
                code: .temporarilyUnavailable, status: status, detail: "The server behind \(server) does not respond.",
                retryAfter: retryAfter
            )
        case 300..<400:
            return Self.notPhotolala(server, "unexpected redirect (HTTP \(status))", status: status)
        default:
            return Self.notPhotolala(server, "unexpected error response (HTTP \(status))", status: status)
        }
    }

    /// The error response of RFC 6749 section 5.2.
    private struct OAuthErrorResponse: Decodable {
        let error: String
        let error_description: String?

        func failure(status: Int, retryAfter: Int?) -> PhotolalaError {
            let code: ErrorCode =
                switch error {
                case "use_dpop_nonce": .useDPoPNonce
                case "invalid_grant": .sessionEnded
                case "authorization_pending": .authorizationPending
                case "slow_down": .slowDown
                case "access_denied": .notAllowed
                case "invalid_dpop_proof": .invalidDPoPProof
                case _ where status == 429: .rateLimited
                case _ where status >= 500: .temporarilyUnavailable
                default: .invalidRequest
                }
            return PhotolalaError(
                code: code, status: status, detail: error_description ?? "The server rejected the request: \(error).",
                retryAfter: retryAfter)
        }
    }

    private func mediaType(_ headers: HTTPFields) -> String? {
        headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
