import Foundation
import IdentityProviders
import Secrets

/// An authorization request at the sign-in page (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core section
/// 3.1.2.1).
package struct DevelopmentAuthorizationRequest: Sendable {
    package let client: String
    /// The URI for the response, on the developer's own machine.
    package let redirectURI: String
    /// All request parameters, to be sent again with the person's choice.
    package let parameters: [(name: String, value: String)]
    let state: String?
    let nonce: String?
    /// The S256 challenge of RFC 7636 section 4.2.
    let codeChallenge: String?
    let wantsIDToken: Bool
    let wantsName: Bool
    let answersByForm: Bool

    private static let names = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    ]

    /// Returns the client and redirect URI, or `nil` if they are invalid; then no response may be sent to the app.
    static func parseClient(_ form: FormParameters) -> (client: String, redirectURI: String)? {
        guard let client = form["client_id"], let redirectURI = form["redirect_uri"],
            client.utf8.count <= 1024, redirectURI.utf8.count <= 2048,
            // Foundation accepts other characters and rewrites them.
            redirectURI.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let parts = URLComponents(string: redirectURI), ["http", "https"].contains(parts.scheme),
            ["127.0.0.1", "localhost", "[::1]", "::1"].contains(parts.host),
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        return (client, redirectURI)
    }

    /// - Throws: `DevelopmentAuthorizationError`, which is reported to the app.
    init(
        _ form: FormParameters, client: String, redirectURI: String, shape: DevelopmentTokenShape
    ) throws(DevelopmentAuthorizationError) {
        let types = Set((form["response_type"] ?? "").split(separator: " "))
        guard types == ["code"] || (shape == .apple && types == ["code", "id_token"]) else {
            throw DevelopmentAuthorizationError(
                code: "unsupported_response_type", words: "response_type must be code, or for Apple code id_token")
        }
        let mode = form["response_mode"] ?? "query"
        guard ["query", "form_post"].contains(mode) else {
            throw .invalidRequest("response_mode must be query or form_post")
        }
        let scopes = Set((form["scope"] ?? "").split(separator: " "))
        if shape == .apple, mode != "form_post", types.contains("id_token") || !scopes.isEmpty {
            throw .invalidRequest("response_mode must be form_post with a scope or an id_token")
        }
        if shape != .apple, !scopes.contains("openid") { throw .invalidRequest("scope must contain openid") }
        let (challenge, method) = (form["code_challenge"], form["code_challenge_method"])
        if challenge != nil || method != nil {
            guard method == "S256", Base64URL.decode(challenge ?? "")?.count == 32 else {
                throw .invalidRequest("code_challenge_method must be S256")
            }
        }
        // The service's own pages send a sealed state of up to 4,096 bytes.
        for (name, most) in [("state", 4096), ("nonce", 1024)] where (form[name] ?? "").utf8.count > most {
            throw .invalidRequest("\(name) must be at most \(most) bytes")
        }
        self.client = client
        self.redirectURI = redirectURI
        (state, nonce, codeChallenge) = (form["state"], form["nonce"], challenge)
        wantsIDToken = types.contains("id_token")
        wantsName = shape == .apple && scopes.contains("name")
        answersByForm = mode == "form_post"
        parameters = Self.names.compactMap { name in form[name].map { (name, $0) } }
    }
}

/// The error response to an app (RFC 6749 section 4.1.2.1).
struct DevelopmentAuthorizationError: Error {
    let code: String
    /// The description for a developer; contains no request data.
    let words: String

    static func invalidRequest(_ words: String) -> DevelopmentAuthorizationError {
        DevelopmentAuthorizationError(code: "invalid_request", words: words)
    }
}
