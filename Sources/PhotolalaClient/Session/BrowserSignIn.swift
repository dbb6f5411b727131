import Foundation
import PhotolalaAPI

/// A sign-in on the server's pages in the user's browser (RFC 8252).
public struct BrowserSignIn: Sendable {
    /// The address to open in the user's browser or in the system's sign-in window, never in a web view of the app.
    public let url: URL
    let exchange: BrowserExchange

    /// Returns whether a redirect belongs to this sign-in, judged by its `state`.
    package func isCallback(_ url: URL) -> Bool { exchange.isCallback(url) }
}

extension PhotolalaSession {
    /// Starts a sign-in in a browser. Sends nothing for the sign-in yet.
    /// - Parameters:
    ///   - client: The app's ID at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: The redirect address, one of that app's. A loopback address may have any port.
    ///   - provider: The provider that the user chose in the app, which the page shows first.
    ///   - createsAccount: Starts with the page that creates an account. The user may switch to the other one.
    /// - Throws: `alreadySignedIn` if an account is signed in on this device; `anotherServer`, `localStorageFailed`.
    public func beginBrowserSignIn(
        client: String, redirectURI: String, provider: ProviderName? = nil, createsAccount: Bool = false
    ) async throws(PhotolalaError) -> BrowserSignIn {
        let device = try signInDevice()
        try await requireNoSession()
        let exchange = BrowserExchange(client: client, redirectURI: redirectURI, randomness: randomness)
        let chosen: FormFields = provider.map { [("provider", $0.description)] } ?? []
        let url = try exchange.url(
            "/authorize", at: server, for: device, chosen + (createsAccount ? [("prompt", "create")] : []))
        return BrowserSignIn(url: url, exchange: exchange)
    }

    /// Completes the sign-in and opens the session.
    /// - Parameter callback: The redirect address, including its query.
    /// - Throws: `notAllowed` if the user denied the request; `invalidRequest` for the redirect of another sign-in;
    ///   `sessionEnded` if more than a minute has passed since the approval; `alreadySignedIn`.
    @discardableResult
    public func finish(_ signIn: BrowserSignIn, callback: URL) async throws(PhotolalaError) -> User {
        let exchange = signIn.exchange
        return try await startSession(
            with: [
                ("grant_type", "authorization_code"), ("code", try exchange.code(in: callback, from: server)),
                ("redirect_uri", exchange.redirectURI), ("client_id", exchange.client),
                ("code_verifier", exchange.verifier),
            ])
    }

    /// Exchanges a grant for a session and stores the session.
    func startSession(with grant: [(name: String, value: String)]) async throws(PhotolalaError) -> User {
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
            await discard(
                StoredSession(server: server.description, user: tokens.userID, session: session, key: key))
            throw error
        }
        return try await adopt(SignedIn(user: user, session: session), key, usedPendingIdentity: false).user
    }
}
