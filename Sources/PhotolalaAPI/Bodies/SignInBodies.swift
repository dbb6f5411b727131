import Foundation

/// The purpose of a challenge. A challenge created for one purpose is invalid for the others.
public enum ChallengePurpose: String, Codable, Sendable, CaseIterable {
    /// `POST /auth/signin`.
    case signin
    /// `POST /auth/signup`.
    case signup
    /// `POST /auth/continue`.
    case `continue`
    /// `POST /auth/link-account`.
    case link
    /// `POST /auth/reauthenticate`.
    case reauthenticate
}

/// Body of `POST /auth/challenge`.
public struct ChallengeRequest: Codable, Sendable {
    /// The call that the challenge is for.
    public let purpose: ChallengePurpose
    /// The device that will make that call.
    public let deviceID: DeviceID

    /// Creates a request for a challenge.
    public init(purpose: ChallengePurpose, deviceID: DeviceID) {
        self.purpose = purpose
        self.deviceID = deviceID
    }
}

/// A value to send to the provider as `nonce`, either unchanged or as its SHA-256 in lower-case hex. Valid for one
/// call.
public struct Challenge: Codable, Sendable, Equatable {
    /// The challenge value.
    public let challenge: String
    /// When the challenge expires.
    public let expiresAt: Date

    /// Creates a challenge.
    public init(challenge: String, expiresAt: Date) {
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}

/// A provider's ID token that authenticates the user.
public struct IDTokenRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName
    /// The provider's ID token, at most 16 KiB. For Facebook, a classic access token is also accepted if the server
    /// allows it.
    public let idToken: String
    /// The challenge whose value is the token's nonce; required if the deployment is configured so.
    public let challenge: String?

    /// Creates a request with a provider's ID token.
    public init(provider: ProviderName, idToken: String, challenge: String? = nil) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
    }
}

/// Body of `POST /auth/signin`.
public struct SignInRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName
    /// The provider's ID token, at most 16 KiB.
    public let idToken: String
    /// The challenge whose value is the token's nonce; required if the deployment is configured so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// The device to sign in.
    public let device: DeviceDescription

    /// Creates a sign-in request.
    public init(
        provider: ProviderName, idToken: String, challenge: String? = nil, authorizationCode: String? = nil,
        device: DeviceDescription
    ) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.authorizationCode = authorizationCode
        self.device = device
    }
}

/// Body of `POST /auth/signup` and `POST /auth/continue`: a provider's ID token, or the `pendingIdentity` from a
/// `no_account_found` response.
public struct SignUpRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName?
    /// The provider's ID token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required if the deployment is configured so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// The name that the provider gave the app, at most 200 characters. Apple sends it only once.
    public let fullName: String?
    /// A pending identity from an earlier sign-in, instead of `provider` and `idToken`.
    public let pendingIdentity: String?
    /// The device to sign in.
    public let device: DeviceDescription

    /// Creates a sign-up request with a provider's ID token.
    public init(
        provider: ProviderName, idToken: String, challenge: String? = nil, authorizationCode: String? = nil,
        fullName: String? = nil, device: DeviceDescription
    ) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.authorizationCode = authorizationCode
        self.fullName = fullName
        self.pendingIdentity = nil
        self.device = device
    }

    /// Creates a sign-up request with a pending identity from an earlier sign-in.
    public init(pendingIdentity: String, fullName: String? = nil, device: DeviceDescription) {
        self.provider = nil
        self.idToken = nil
        self.challenge = nil
        self.authorizationCode = nil
        self.fullName = fullName
        self.pendingIdentity = pendingIdentity
        self.device = device
    }
}

/// Body of `POST /auth/link-account`: a provider's ID token, or the `pendingIdentity` from a `no_account_found`
/// response.
public struct LinkRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName?
    /// The provider's ID token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required if the deployment is configured so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// A pending identity from an earlier sign-in, or the code of an authentication in a browser, instead of `provider`
    /// and `idToken`.
    public let pendingIdentity: String?
    /// The PKCE verifier of an authentication in a browser (RFC 7636).
    public let codeVerifier: String?

    /// Creates a request that links the identity in a provider's ID token.
    public init(
        provider: ProviderName, idToken: String, challenge: String? = nil, authorizationCode: String? = nil
    ) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.authorizationCode = authorizationCode
        self.pendingIdentity = nil
        self.codeVerifier = nil
    }

    /// Creates a request that links a pending identity from an earlier sign-in or from a browser.
    /// - Parameter codeVerifier: The PKCE verifier, only for an authentication in a browser.
    public init(pendingIdentity: String, codeVerifier: String? = nil) {
        self.provider = nil
        self.idToken = nil
        self.challenge = nil
        self.authorizationCode = nil
        self.pendingIdentity = pendingIdentity
        self.codeVerifier = codeVerifier
    }
}

/// Body of `POST /auth/reauthenticate`: a provider's ID token, or the code of an authentication in a browser.
public struct ReauthenticationRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName?
    /// The provider's ID token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required if the deployment is configured so.
    public let challenge: String?
    /// The code of an authentication in a browser, instead of `provider` and `idToken`.
    public let pendingIdentity: String?
    /// The PKCE verifier of an authentication in a browser (RFC 7636).
    public let codeVerifier: String?

    /// Creates a request with a provider's ID token.
    public init(provider: ProviderName, idToken: String, challenge: String? = nil) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.pendingIdentity = nil
        self.codeVerifier = nil
    }

    /// Creates a request with the result of an authentication in a browser.
    public init(pendingIdentity: String, codeVerifier: String) {
        self.provider = nil
        self.idToken = nil
        self.challenge = nil
        self.pendingIdentity = pendingIdentity
        self.codeVerifier = codeVerifier
    }
}

/// Body of `POST /auth/unlink-account`.
public struct UnlinkRequest: Codable, Sendable {
    /// The link to remove.
    public let linkID: LinkID

    /// Creates an unlink request.
    public init(linkID: LinkID) { self.linkID = linkID }
}
