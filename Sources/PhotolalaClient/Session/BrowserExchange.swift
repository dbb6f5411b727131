import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// An authorization request to the server's pages in a browser (RFC 6749 section 4.1, RFC 7636, RFC 9207).
struct BrowserExchange: Sendable {
    let client: String
    let redirectURI: String
    let state: String
    let verifier: String

    init(client: String, redirectURI: String, randomness: Randomness) {
        self.client = client
        self.redirectURI = redirectURI
        state = Base64URL.encode(randomness.bytes(16))
        verifier = Base64URL.encode(randomness.bytes(32))
    }

    /// Returns the address of the page.
    func url(
        _ path: String, at server: ServerAddress, for device: DeviceDescription, _ more: FormFields
    ) throws(PhotolalaError) -> URL {
        let parameters: FormFields =
            [
                ("response_type", "code"), ("client_id", client), ("redirect_uri", redirectURI), ("state", state),
                ("code_challenge", Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))),
                ("code_challenge_method", "S256"), ("device_id", device.id.description), ("device_name", device.name),
                ("device_platform", device.platform),
            ] + more
        guard let url = URL(string: "\(server)\(path)?\(parameters.encoded)") else {
            throw PhotolalaError(code: .invalidRequest, detail: "Cannot create a URL from these parameters.")
        }
        return url
    }

    /// Returns whether a redirect answers this request, judged by its `state`.
    func isCallback(_ url: URL) -> Bool {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return items.filter { $0.name == "state" }.map(\.value) == [state]
    }

    /// Returns the authorization code of a redirect.
    /// - Throws: `notAllowed` if the user denied the request; `invalidRequest` for the redirect of another request.
    func code(in callback: URL, from server: ServerAddress) throws(PhotolalaError) -> String {
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let parameters = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        // `state` detects redirects for other requests, and `iss` those from other servers (RFC 9207).
        guard isCallback(callback) else {
            throw PhotolalaError(code: .invalidRequest, detail: "The response belongs to another sign-in.")
        }
        guard let issuer = parameters["iss"], try ServerAddress(issuer, allowsPlainHTTP: true) == server else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "The response is from \(parameters["iss"] ?? "an unknown server"), not from \(server).")
        }
        guard let code = parameters["code"] else {
            let isDenied = parameters["error"] == "access_denied"
            throw PhotolalaError(
                code: isDenied ? .notAllowed : .invalidRequest,
                detail: isDenied
                    ? "The sign-in was denied."
                    : "The server rejected the sign-in: \(parameters["error_description"] ?? "").")
        }
        return code
    }
}
