import Foundation
import PhotolalaAPI

/// Proves an identity in the person's browser for an act of this device's session: linking it, or proving again who the
/// person is.
///
///     let proof = try await session.beginBrowserLink(client: "app", redirectURI: "app.example:/proved")
///     let answer = …                  // open proof.url in the system's sign-in window
///     let providers = try await session.link(proof, answer: answer)
public struct BrowserProof: Sendable {
    /// To be opened in the person's own browser, or in the system's sign-in window; never in a web view of the app.
    public let url: URL
    let exchange: BrowserExchange

    /// Whether an address that a browser was sent to is the answer to this request, as far as its state tells.
    package func isAnswer(_ url: URL) -> Bool { exchange.isAnswer(url) }
}

extension PhotolalaSession {
    /// Begins to link another identity that the person proves in a browser.
    /// - Parameters:
    ///   - client: the app's id at the server, one of its setting `signIn.apps`.
    ///   - redirectURI: where the browser brings the answer; one of that app's. Of a loopback address any port.
    ///   - provider: the only one that the page offers; all when left out.
    /// - Throws: `reauthenticationRequired` when the last proof is older than 10 minutes: see
    ///   `beginBrowserReauthentication`.
    public func beginBrowserLink(
        client: String, redirectURI: String, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> BrowserProof {
        // Tells whether the session may link, before its person goes to a provider in vain.
        _ = try await challenge(for: .link)
        return try proof(for: .link, client, redirectURI, provider)
    }

    /// Links the identity that was proved in a browser.
    /// - Parameter answer: the address that the browser was sent to, with its query.
    /// - Throws: `notAllowed` when the person did not allow it; `invalidRequest` for the answer to another request;
    ///   `providerAlreadyLinked`, `reauthenticationRequired`, `invalidPendingIdentity` when it came too late.
    @discardableResult
    public func link(_ proof: BrowserProof, answer: URL) async throws(PhotolalaError) -> [LinkedProvider] {
        let code = try proof.exchange.code(in: answer, from: server)
        return try await authorized(
            .linkAccount, body: LinkRequest(pendingIdentity: code, codeVerifier: proof.exchange.verifier)
        ).value.linkedProviders
    }

    /// Begins to prove again who the person is, in a browser, with an identity of this account.
    /// - Parameters: as `beginBrowserLink`.
    public func beginBrowserReauthentication(
        client: String, redirectURI: String, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> BrowserProof {
        _ = try await good()
        return try proof(for: .reauthenticate, client, redirectURI, provider)
    }

    /// Takes what the browser brought: linking and unlinking are allowed for the next 10 minutes.
    /// - Parameter answer: the address that the browser was sent to, with its query.
    /// - Throws: as `link`; `invalidToken` for an identity that does not open this account.
    public func reauthenticate(_ proof: BrowserProof, answer: URL) async throws(PhotolalaError) {
        let code = try proof.exchange.code(in: answer, from: server)
        try await reauthenticate(
            ReauthenticationRequest(pendingIdentity: code, codeVerifier: proof.exchange.verifier))
    }

    private func proof(
        for purpose: ChallengePurpose, _ client: String, _ redirectURI: String, _ provider: ProviderName?
    ) throws(PhotolalaError) -> BrowserProof {
        let exchange = BrowserExchange(client: client, redirectURI: redirectURI, randomness: randomness)
        let chosen: FormFields = provider.map { [("provider", $0.description)] } ?? []
        let url = try exchange.url(
            "/prove", at: server, for: try device(), [("purpose", purpose.rawValue)] + chosen)
        return BrowserProof(url: url, exchange: exchange)
    }
}
