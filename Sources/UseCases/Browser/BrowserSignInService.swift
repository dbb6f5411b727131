import Accounts
import Foundation
import Monitoring
import PhotolalaAPI
import Sessions

/// The result of an authorization request in a browser.
package enum CompletedAuthorization: Sendable {
    /// Signed in, or a new account was created; the browser stores the cookie.
    case signedIn(cookie: String, expiresAt: Date)
    /// The action was completed in the existing session.
    case done
    /// The requesting app receives the identity, sealed for its device.
    case authenticated(code: String, email: String?)
    /// The user cancelled at the provider.
    case cancelled
}

/// Completes authorization requests of browsers: signs in, signs up, links or authenticates again.
package struct BrowserSignInService: Sendable {
    let authorizations: ProviderAuthorizations
    let identities: IdentityVerification
    let signIns: SignInService
    let signUps: SignUpService
    let linking: LinkingService
    let reauthentication: ReauthenticationService
    let pendingIdentities: PendingIdentities
    let sessions: SessionIssuer
    let metrics: ServiceMetrics

    /// Creates a browser with a new secret.
    package func makeBrowser(name: String) -> Browser { Browser(sessions.randomness, name: name) }

    /// Exchanges the authorization code and performs the action that was requested.
    /// - Parameters:
    ///   - caller: the caller of the browser's current session.
    ///   - cookie: the cookie of that session, which a sign-in may replace.
    /// - Throws: `noAccountFound` with the values that Create Account and Link need, as `signIn` does.
    package func completeAuthorization(
        _ authorizationRequest: ProviderAuthorizationRequest, with response: ProviderAuthorizationResponse,
        in browser: Browser,
        caller: Caller?, cookie: String? = nil
    ) async throws(ServiceError) -> CompletedAuthorization {
        let outcome: AttemptOutcome?
        do {
            let completed = try await complete(
                authorizationRequest, with: response, in: browser, caller: caller, cookie: cookie)
            outcome =
                switch completed {
                case .signedIn, .done: .success
                case .cancelled: .cancelled
                // The app signs in with the identity afterwards.
                case .authenticated: nil
                }
            count(outcome, authorizationRequest)
            return completed
        } catch {
            count(AttemptOutcome(error), authorizationRequest)
            throw error
        }
    }

    private func count(_ outcome: AttemptOutcome?, _ request: ProviderAuthorizationRequest) {
        guard let outcome else { return }
        switch request.purpose {
        case .signin, .signup, .continue: metrics.countSignIn(request.provider, outcome)
        case .link: metrics.countLink(request.provider, outcome)
        case .reauthenticate: break
        }
    }

    private func complete(
        _ authorizationRequest: ProviderAuthorizationRequest, with response: ProviderAuthorizationResponse,
        in browser: Browser, caller: Caller?, cookie: String?
    ) async throws(ServiceError) -> CompletedAuthorization {
        guard let authorization = authorizations.authorization(at: authorizationRequest.provider) else {
            throw .unknownProvider(authorizationRequest.provider)
        }
        if let issuer = response.issuer, !authorization.isIssuer(issuer) { throw .invalidToken(.wrongIssuer) }
        if let error = response.error {
            return try Self.authorizationEnded(by: error, at: authorizationRequest.provider)
        }
        guard let code = response.code, code.utf8.count <= 4096 else { throw .invalidToken(.malformed("code")) }
        guard authorizationRequest.user == caller?.user || authorizationRequest.user == nil else {
            throw .invalidChallenge(.wrongPurpose)
        }
        let tokens: ExchangedTokens
        do { tokens = try await authorization.exchange(code, verifier: authorizationRequest.verifier) } catch {
            throw ServiceError(error, of: authorizationRequest.provider)
        }
        let verified = try await verifyTokens(
            tokens, of: authorization, authorizationRequest, in: browser, name: response.name)
        if let app = authorizationRequest.app {
            let code = try await mapServiceErrors {
                try pendingIdentities.seal(verified, for: app.device, app: app).sealed
            }
            return .authenticated(code: code, email: verified.identity.email?.address)
        }
        switch authorizationRequest.purpose {
        case .signin, .continue:
            let opened = try await signIn(verified, in: browser, cookie: cookie)
            return .signedIn(cookie: opened.cookie, expiresAt: opened.expiresAt)
        case .signup:
            let opened = try await signUp(verified, in: browser)
            return .signedIn(cookie: opened.cookie, expiresAt: opened.expiresAt)
        case .link:
            guard let caller else { throw .sessionEnded }
            _ = try await linking.link(verified: verified, caller: caller)
        case .reauthenticate:
            guard let caller else { throw .sessionEnded }
            _ = try await reauthentication.reauthenticate(verified: verified.identity, caller: caller)
        }
        return .done
    }

    /// Maps the error codes of RFC 6749 section 4.1.2.1 and OpenID Connect Core section 3.1.2.6; Apple uses a code of
    /// its own.
    private static func authorizationEnded(by error: String, at provider: ProviderName) throws(ServiceError)
        -> CompletedAuthorization
    {
        switch error {
        case "access_denied", "user_cancelled_authorize", "login_required", "interaction_required",
            "account_selection_required", "consent_required":
            return .cancelled
        default:
            // Unauthenticated: anyone can send any error, so it is not one of this service.
            let code = String(
                error.utf8.prefix(64).map { (0x21...0x7e).contains($0) ? Character(Unicode.Scalar($0)) : "?" })
            throw .invalidToken(.ruleNotMet("\(provider) ended the authorization request: \(code)"))
        }
    }

    /// Returns the e-mail address of a pending identity of this browser, so that the page can show which identity it
    /// is.
    package func email(ofPending sealed: String, in browser: Browser) throws(ServiceError) -> String? {
        do { return try pendingIdentities.identity(in: sealed, device: browser.device.id).email?.address } catch {
            throw ServiceError(error) { .invalidPendingIdentity($0) }
        }
    }

    /// Creates an account for a pending identity of this browser.
    package func signUp(
        pendingIdentity: String, in browser: Browser
    ) async throws(ServiceError) -> (cookie: String, expiresAt: Date) {
        try await metrics.countingSignIn(nil) { () async throws(ServiceError) in
            let verified = try await identities.verifySignIn(
                nil, code: nil, pending: pendingIdentity, .signup, device: browser.device.id)
            return try await signUp(verified, in: browser)
        }
    }

    private func verifyTokens(
        _ tokens: ExchangedTokens, of authorization: any ProviderAuthorization,
        _ authorizationRequest: ProviderAuthorizationRequest,
        in browser: Browser, name: String?
    ) async throws(ServiceError) -> VerifiedSignIn {
        guard let idToken = tokens.idToken else { throw .invalidToken(.malformed("missing id_token")) }
        let identity = try await identities.verifyIdentity(
            IDTokenRequest(
                provider: authorizationRequest.provider, idToken: idToken, challenge: authorizationRequest.challenge),
            authorizationRequest.purpose,
            device: browser.device.id, user: authorizationRequest.user
        )
        guard identity.clientID == authorization.clientID else { throw .invalidToken(.wrongAudience) }
        // Bounded because pages may store it in a cookie.
        let refreshToken = tokens.refreshToken.flatMap { $0.utf8.count <= 1024 ? $0 : nil }
        return VerifiedSignIn(
            identity: identity, authorizationCode: nil, refreshToken: refreshToken,
            name: name.flatMap { $0.isPlainText(1...200) ? $0 : nil }
        )
    }

    private func signIn(
        _ verified: VerifiedSignIn, in browser: Browser, cookie: String?
    ) async throws(ServiceError) -> (cookie: String, expiresAt: Date) {
        let secret = BrowserSecret(sessions.randomness)
        let session = try await signIns.signIn(
            verified: verified, on: browser.device, key: secret.thumbprint,
            keeping: Browser.maximumPendingIdentityLength,
            replacing: cookie.flatMap { try? sessions.resume(browserCookie: $0).session }
        ).session
        return (secret.cookie(of: session), session.refreshTokenExpiresAt)
    }

    private func signUp(
        _ verified: VerifiedSignIn, in browser: Browser
    ) async throws(ServiceError) -> (cookie: String, expiresAt: Date) {
        let secret = BrowserSecret(sessions.randomness)
        let session = try await signUps.signUp(
            verified: verified, name: verified.name, language: browser.language, on: browser.device,
            key: secret.thumbprint
        ).session
        return (secret.cookie(of: session), session.refreshTokenExpiresAt)
    }
}
