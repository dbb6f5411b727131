import Foundation

/// The response of an OAuth endpoint of the development provider. The HTTP server sends it with `Content-Type:
/// application/json` if the body is not empty, and always with `Cache-Control: no-store`.
package struct DevelopmentOAuthResponse: Sendable, Equatable {
    package let status: Int
    package let body: Data

    static let empty = DevelopmentOAuthResponse(status: 200, body: Data())

    static let unreadableForm = error("invalid_request", "malformed form or repeated parameter")

    static func missing(_ parameter: String) -> DevelopmentOAuthResponse {
        error("invalid_request", "\(parameter) is missing")
    }

    /// An error response of RFC 6749 section 5.2.
    static func error(_ code: String, _ description: String) -> DevelopmentOAuthResponse {
        let text = #"{"error":"\#(code)","error_description":"\#(description)"}"#
        return DevelopmentOAuthResponse(status: 400, body: Data(text.utf8))
    }
}
