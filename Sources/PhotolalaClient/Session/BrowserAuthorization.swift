import Foundation
import PhotolalaAPI

/// An authentication in the user's browser, for linking an identity or for reauthentication.
///
/// ```swift
/// let proof = try await session.beginBrowserLink(client: "app", redirectURI: "app.example:/proved")
/// let callback = …                // open proof.url in the system's sign-in window
/// let providers = try await session.link(proof, callback: callback)
/// ```
public struct BrowserAuthorization: Sendable {
    /// The address to open in the user's browser or in the system's sign-in window, never in a web view of the app.
    public let url: URL
    /// The account that began it.
    let user: UserID
    let exchange: BrowserExchange

    /// Returns whether a redirect belongs to this request, judged by its `state`.
    package func isCallback(_ url: URL) -> Bool { exchange.isCallback(url) }
}

extension PhotolalaSession {
    /// Starts linking another identity with an authentication in a browser.
    /// - Parameters:
    ///   - client: The app's ID at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: The redirect address, one of that app's. A loopback address may have any port.
    ///   - provider: The only provider that the page offers; all if `nil`.
    /// - Throws: `reauthenticationRequired` if the last authentication is older than 10 minutes: see
    ///   `beginBrowserReauthentication`.
    public func beginBrowserLink(
        client: String, redirectURI: String, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> BrowserAuthorization {
        let user = try await validSession().user
        // Fails early if the session may not link, before the user authenticates at a provider.
        _ = try await challenge(for: .link, as: user)
        return try makeAuthorization(for: .link, of: user, client, redirectURI, provider)
    }

    /// Links the identity that was authenticated in a browser.
    /// - Parameter callback: The redirect address, including its query.
    /// - Throws: `notAllowed` if the user denied the request; `invalidRequest` for the redirect of another request;
    ///   `notSignedIn` if the account that began it is no longer signed in; `providerAlreadyLinked`,
    ///   `reauthenticationRequired`, `invalidPendingIdentity` if it expired.
    @discardableResult
    public func link(_ proof: BrowserAuthorization, callback: URL) async throws(PhotolalaError) -> [LinkedProvider] {
        let code = try proof.exchange.code(in: callback, from: server)
        return try await authorized(
            .linkAccount, body: LinkRequest(pendingIdentity: code, codeVerifier: proof.exchange.verifier),
            as: proof.user
        ).value.linkedProviders
    }

    /// Starts reauthentication in a browser, with an identity of this account.
    /// - Parameters:
    ///   - client: The app's ID at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: The redirect address, one of that app's. A loopback address may have any port.
    ///   - provider: The only provider that the page offers; all if `nil`.
    public func beginBrowserReauthentication(
        client: String, redirectURI: String, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> BrowserAuthorization {
        let user = try await validSession().user
        return try makeAuthorization(for: .reauthenticate, of: user, client, redirectURI, provider)
    }

    /// Completes reauthentication in a browser: linking and unlinking are allowed for the next 10 minutes.
    /// - Parameter callback: The redirect address, including its query.
    /// - Throws: The errors of `link`; `invalidToken` for an identity that does not open this account.
    public func reauthenticate(_ proof: BrowserAuthorization, callback: URL) async throws(PhotolalaError) {
        let code = try proof.exchange.code(in: callback, from: server)
        try await reauthenticate(
            ReauthenticationRequest(pendingIdentity: code, codeVerifier: proof.exchange.verifier), as: proof.user)
    }

    private func makeAuthorization(
        for purpose: ChallengePurpose, of user: UserID, _ client: String, _ redirectURI: String,
        _ provider: ProviderName?
    ) throws(PhotolalaError) -> BrowserAuthorization {
        let exchange = BrowserExchange(client: client, redirectURI: redirectURI, randomness: randomness)
        let chosen: FormFields = provider.map { [("provider", $0.description)] } ?? []
        let url = try exchange.url(
            "/prove", at: server, for: try device(), [("purpose", purpose.rawValue)] + chosen)
        return BrowserAuthorization(url: url, user: user, exchange: exchange)
    }
}
