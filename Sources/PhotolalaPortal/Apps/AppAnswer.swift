/// The answer to an app's request (RFC 6749 section 4.1.2, RFC 9207).
struct AppAnswer {
    let issuer: String
    let state: String?

    /// The app's address with the answer in its query.
    func address(_ redirectURI: String, _ parameters: [(String, String)]) -> String {
        let all = parameters + [("iss", issuer)] + (state.map { [("state", $0)] } ?? [])
        let query = all.map { "\($0.0)=\(Form.escaped($0.1))" }.joined(separator: "&")
        return "\(redirectURI)\(redirectURI.contains("?") ? "&" : "?")\(query)"
    }
}
