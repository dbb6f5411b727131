import Foundation
import PhotolalaAPI

/// A sign-in that goes on in the person's browser, at the server's own pages (RFC 8252).
public struct BrowserSignIn: Sendable {
    /// To be opened in the person's own browser, or in the system's sign-in window; never in a web view of the app.
    public let url: URL
    let exchange: BrowserExchange

    /// Whether an address that a browser was sent to is the answer to this sign-in, as far as its state tells.
    package func isAnswer(_ url: URL) -> Bool { exchange.isAnswer(url) }
}

extension PhotolalaSession {
    /// Begins a sign-in in a browser. Nothing is sent yet.
    /// - Parameters:
    ///   - client: the app's id at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: where the browser brings the answer; one of that app's. Of a loopback address any port.
    ///   - provider: what the person chose in the app; the page shows it first.
    ///   - createsAccount: begins with the page on which an account is created; the person may choose the other one.
    /// - Throws: `alreadySignedIn` when an account is signed in on this device; `anotherServer`, `localStorageFailed`.
    public func beginBrowserSignIn(
        client: String, redirectURI: String, provider: ProviderName? = nil, createsAccount: Bool = false
    ) async throws(PhotolalaError) -> BrowserSignIn {
        let device = try signingInDevice()
        try await expectNobody()
        let exchange = BrowserExchange(client: client, redirectURI: redirectURI, randomness: randomness)
        let chosen: FormFields = provider.map { [("provider", $0.description)] } ?? []
        let url = try exchange.url(
            "/authorize", at: server, for: device, chosen + (createsAccount ? [("prompt", "create")] : []))
        return BrowserSignIn(url: url, exchange: exchange)
    }

    /// Takes what the browser brought, and opens the session.
    /// - Parameter answer: the address that the browser was sent to, with its query.
    /// - Throws: `notAllowed` when the person did not allow it; `invalidRequest` for the answer to another sign-in;
    ///   `sessionEnded` when it came too late, a minute after it was allowed; `alreadySignedIn`.
    @discardableResult
    public func finish(_ signIn: BrowserSignIn, answer: URL) async throws(PhotolalaError) -> User {
        let exchange = signIn.exchange
        return try await open(
            with: [
                ("grant_type", "authorization_code"), ("code", try exchange.code(in: answer, from: server)),
                ("redirect_uri", exchange.redirectURI), ("client_id", exchange.client),
                ("code_verifier", exchange.verifier),
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
}
