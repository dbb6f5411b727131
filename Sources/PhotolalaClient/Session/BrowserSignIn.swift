import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// A sign-in that goes on in the person's browser, at the server's own pages (RFC 8252).
public struct BrowserSignIn: Sendable {
    /// To be opened in the person's own browser, or in the system's sign-in window; never in a web view of the app.
    public let url: URL
    let client: String
    let redirectURI: String
    let state: String
    let verifier: String

    /// Whether an address that somebody was sent to is the answer to this sign-in, as far as its state tells.
    package func isAnswer(_ url: URL) -> Bool {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return items.filter { $0.name == "state" }.map(\.value) == [state]
    }
}

extension PhotolalaSession {
    /// Begins a sign-in in a browser. Nothing is sent yet.
    /// - Parameters:
    ///   - client: the app's id at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: where the browser brings the answer; one of that app's. Of a loopback address any port.
    ///   - createsAccount: begins with the page on which an account is created; the person may choose the other one.
    /// - Throws: `alreadySignedIn` when an account is signed in on this device; `anotherServer`, `localStorageFailed`.
    public func beginBrowserSignIn(
        client: String, redirectURI: String, createsAccount: Bool = false
    ) async throws(PhotolalaError) -> BrowserSignIn {
        let device = try device()
        try await expectNobody()
        let (state, verifier) = (Base64URL.encode(random(16)), Base64URL.encode(random(32)))
        var parameters: FormFields = [
            ("response_type", "code"), ("client_id", client), ("redirect_uri", redirectURI), ("state", state),
            ("code_challenge", Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))),
            ("code_challenge_method", "S256"), ("device_id", device.id.description), ("device_name", device.name),
            ("device_platform", device.platform),
        ]
        if createsAccount { parameters.append(("prompt", "create")) }
        guard let url = URL(string: "\(server)/authorize?\(parameters.encoded)") else {
            throw PhotolalaError(code: .invalidRequest, detail: "No address can be made of this.")
        }
        return BrowserSignIn(url: url, client: client, redirectURI: redirectURI, state: state, verifier: verifier)
    }

    /// Takes what the browser brought, and opens the session.
    /// - Parameter answer: the address that the browser was sent to, with its query.
    /// - Throws: `notAllowed` when the person did not allow it; `invalidRequest` for the answer to another sign-in;
    ///   `sessionEnded` when it came too late, a minute after it was allowed; `alreadySignedIn`.
    @discardableResult
    public func finish(_ signIn: BrowserSignIn, answer: URL) async throws(PhotolalaError) -> User {
        let items = URLComponents(url: answer, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let told = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        // Whoever else sends a browser to the app brings another state, and another server another issuer (RFC 9207).
        guard signIn.isAnswer(answer) else {
            throw PhotolalaError(code: .invalidRequest, detail: "This answer belongs to another sign-in.")
        }
        guard let issuer = told["iss"], try ServerAddress(issuer, allowsPlainHTTP: true) == server else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "The answer is of \(told["iss"] ?? "a server without a name"), and not of \(server).")
        }
        guard let code = told["code"] else {
            let isDenied = told["error"] == "access_denied"
            throw PhotolalaError(
                code: isDenied ? .notAllowed : .invalidRequest,
                detail: isDenied
                    ? "The sign-in was not allowed."
                    : "The server refuses the sign-in: \(told["error_description"] ?? "").")
        }
        return try await open(
            with: [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", signIn.redirectURI),
                ("client_id", signIn.client), ("code_verifier", signIn.verifier),
            ])
    }

    /// Exchanges a grant for the session, and keeps that.
    func open(with grant: [(name: String, value: String)]) async throws(PhotolalaError) -> User {
        let key = newKey()
        let tokens = try await connection.tokens(for: grant, signer: signer(key))
        let session = tokens.session(at: now())
        let user: User
        do throws(PhotolalaError) {
            user = try await connection.send(
                .user, ["serviceUserID": tokens.userID.description], accessToken: session.accessToken,
                signer: signer(key)
            ).value
        } catch {
            // Nobody would hold the session.
            try? await end(
                StoredSession(server: server.description, user: tokens.userID, session: session, key: key))
            throw error
        }
        let signedIn = SignedIn(user: user, session: session)
        try await expectNobody(but: signedIn, key)
        return try adopt(signedIn, key, spentPendingIdentity: false).user
    }

    private func random(_ count: Int) -> Data { Data(randomness.bytes(count)) }
}
