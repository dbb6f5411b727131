import Foundation

/// What a challenge is for. A challenge made for one purpose is worthless for the others.
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
    /// What the next call is.
    public let purpose: ChallengePurpose
    /// The device that will make it.
    public let deviceID: DeviceID

    /// Asks for a challenge.
    public init(purpose: ChallengePurpose, deviceID: DeviceID) {
        self.purpose = purpose
        self.deviceID = deviceID
    }
}

/// A value to send to the provider as `nonce`, as it is or as its SHA-256 in lower-case hex. Good for one call.
public struct Challenge: Codable, Sendable, Equatable {
    /// The value.
    public let challenge: String
    /// After this it is refused.
    public let expiresAt: Date

    /// Gives a challenge.
    public init(challenge: String, expiresAt: Date) {
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}

/// A provider's proof of who is there.
public struct ProofRequest: Codable, Sendable {
    /// Whose token it is.
    public let provider: ProviderName
    /// The provider's identity token, at most 16 KiB; of Facebook a classic access token too, where the server allows it.
    public let idToken: String
    /// The challenge whose value is the token's nonce; required where the deployment says so.
    public let challenge: String?

    /// Presents a proof.
    public init(provider: ProviderName, idToken: String, challenge: String? = nil) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
    }
}

/// Body of `POST /auth/signin`.
public struct SignInRequest: Codable, Sendable {
    /// Whose token it is.
    public let provider: ProviderName
    /// The provider's identity token, at most 16 KiB.
    public let idToken: String
    /// The challenge whose value is the token's nonce; required where the deployment says so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// The device that signs in.
    public let device: DeviceDescription

    /// Asks to sign in.
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

/// Body of `POST /auth/signup` and `POST /auth/continue`: a provider's proof, or the `pendingIdentity` that an answer
/// of `no_account_found` carried.
public struct SignUpRequest: Codable, Sendable {
    /// Whose token it is.
    public let provider: ProviderName?
    /// The provider's identity token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required where the deployment says so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// The name that the provider gave the app, at most 200 characters; Apple gives it once only.
    public let fullName: String?
    /// A proof kept from an earlier sign-in, in place of `provider` and `idToken`.
    public let pendingIdentity: String?
    /// The device that signs in.
    public let device: DeviceDescription

    /// Asks for an account with a provider's proof.
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

    /// Asks for an account with a proof kept from an earlier sign-in.
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

/// Body of `POST /auth/link-account`: a provider's proof, or the `pendingIdentity` that an answer of
/// `no_account_found` carried.
public struct LinkRequest: Codable, Sendable {
    /// Whose token it is.
    public let provider: ProviderName?
    /// The provider's identity token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required where the deployment says so.
    public let challenge: String?
    /// The provider's authorization code.
    public let authorizationCode: String?
    /// A proof kept from an earlier sign-in, or the code of a proof in a browser, in place of `provider` and `idToken`.
    public let pendingIdentity: String?
    /// The PKCE verifier of a proof in a browser (RFC 7636).
    public let codeVerifier: String?

    /// Links with a provider's proof.
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

    /// Links with a proof kept from an earlier sign-in, or made in a browser.
    /// - Parameter codeVerifier: of PKCE, for a proof in a browser only.
    public init(pendingIdentity: String, codeVerifier: String? = nil) {
        self.provider = nil
        self.idToken = nil
        self.challenge = nil
        self.authorizationCode = nil
        self.pendingIdentity = pendingIdentity
        self.codeVerifier = codeVerifier
    }
}

/// Body of `POST /auth/reauthenticate`: a provider's proof, or the code of a proof in a browser.
public struct ReauthenticationRequest: Codable, Sendable {
    /// The provider that issued the token.
    public let provider: ProviderName?
    /// The provider's identity token, at most 16 KiB.
    public let idToken: String?
    /// The challenge whose value is the token's nonce; required where the deployment says so.
    public let challenge: String?
    /// The code of a proof in a browser, in place of `provider` and `idToken`.
    public let pendingIdentity: String?
    /// The PKCE verifier of a proof in a browser (RFC 7636).
    public let codeVerifier: String?

    /// Proves with a provider's token.
    public init(provider: ProviderName, idToken: String, challenge: String? = nil) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.pendingIdentity = nil
        self.codeVerifier = nil
    }

    /// Proves with what a browser brought.
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
    /// The link to end.
    public let linkID: LinkID

    /// Asks to unlink.
    public init(linkID: LinkID) { self.linkID = linkID }
}
