/// The response to an app's authorization request (RFC 6749 section 4.1.2, RFC 9207).
struct AppAuthorizationResponse {
    let issuer: String
    let state: String?

    /// Returns the app's redirect URI with the response in its query.
    func redirectURL(_ redirectURI: String, _ parameters: [(String, String)]) -> String {
        let all = parameters + [("iss", issuer)] + (state.map { [("state", $0)] } ?? [])
        let query = all.map { "\($0.0)=\(Form.escaped($0.1))" }.joined(separator: "&")
        return "\(redirectURI)\(redirectURI.contains("?") ? "&" : "?")\(query)"
    }
}
