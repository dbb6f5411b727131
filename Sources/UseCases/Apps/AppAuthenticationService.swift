import Accounts
import PhotolalaAPI

/// An app's request to authenticate its user in a browser, for an action in the app's own session.
package struct AppAuthentication: Sendable {
    package let app: AppAuthorizationRequest
    /// `link` or `reauthenticate`.
    package let purpose: ChallengePurpose
    /// The provider that the user chose in the app; `nil` if the page offers all providers.
    package let provider: ProviderName?
    let proof: AppAuthenticationRequest
}

/// Authenticates the users of apps in a browser, for actions in the apps' own sessions.
package struct AppAuthenticationService: Sendable {
    let requests: AppRequests
    let authorizations: ProviderAuthorizations
    let challenges: Challenges
    let browserStates: SealedBrowserStates

    /// Parses and validates an app's request: the parameters of an authorization request, `purpose` and the provider.
    package func parse(
        _ parameter: (String) -> String?
    ) throws(AppAuthorizationRequestError) -> AppAuthentication {
        let app = try requests.parse(parameter)
        func refused(_ words: String) -> AppAuthorizationRequestError {
            .refused(redirectURI: app.redirectURI, state: app.state, code: "invalid_request", words: words)
        }
        let purpose = parameter("purpose").flatMap { ChallengePurpose(rawValue: $0) }
        guard let purpose, purpose == .link || purpose == .reauthenticate else {
            throw refused("purpose must be link or reauthenticate.")
        }
        guard let device = app.deviceID else { throw refused("device_id is required.") }
        let provider = parameter("provider").map { ProviderName($0) }
        if let provider, provider.flatMap({ authorizations.authorization(at: $0) }) == nil {
            throw refused("provider is not configured on this server.")
        }
        return AppAuthentication(
            app: app, purpose: purpose, provider: provider ?? nil,
            proof: AppAuthenticationRequest(purpose: purpose, device: device, codeChallenge: app.codeChallenge))
    }

    /// Starts an authorization request at a provider for an app. The browser's own session is not used, and the
    /// provider is asked to authenticate again, so that an app never uses an earlier authentication or one of another
    /// session.
    /// - Returns: the authorization URL at the provider.
    package func begin(
        at provider: ProviderName, for authentication: AppAuthentication, in browser: Browser, returnTo path: String
    ) async throws(ServiceError) -> String {
        guard let authorization = authorizations.authorization(at: provider) else { throw .unknownProvider(provider) }
        let challenge: Challenge
        do { challenge = try challenges.make(.request(authentication.purpose, browser.device.id, user: nil)) } catch {
            throw .internal("\(error)")
        }
        let authorizationRequest = ProviderAuthorizationRequest(
            provider: provider, purpose: authentication.purpose, challenge: challenge,
            verifier: browserStates.makeVerifier(),
            user: nil, returnTo: path, app: authentication.proof
        )
        return try await authorizations.authorizationURL(for: authorizationRequest, at: authorization, in: browser)
    }
}
