import Foundation
import PhotolalaAPI

/// The result of a provider's sign-in in the app.
public struct ProviderCredential: Sendable {
    /// The provider that issued the token.
    public var provider: ProviderName
    /// The provider's ID token, at most 16 KiB. For Facebook, a classic access token is also accepted if the server
    /// allows it.
    public var idToken: String
    /// The challenge whose value is the token's nonce.
    public var challenge: String?
    /// The provider's authorization code, if the app received one.
    public var authorizationCode: String?
    /// The user's name, if the app received it. Apple sends it only at the first authorization: if that is a sign-in that
    /// finds no account, the device keeps it with the pending identity for the sign-up.
    public var fullName: String?
    /// The provider's ID of the user, if the app received it. It stays on the device, for
    /// ``PhotolalaSession/signOutIfWithdrawn(at:)``.
    public var subject: String?

    /// Creates a value with a provider's ID token.
    public init(
        provider: ProviderName, idToken: String, challenge: String? = nil, authorizationCode: String? = nil,
        fullName: String? = nil, subject: String? = nil
    ) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.authorizationCode = authorizationCode
        self.fullName = fullName
        self.subject = subject
    }

    var identity: ProviderIdentity? { subject.map { ProviderIdentity(provider: provider, subject: $0) } }
}

/// A verified identity that the server issues with `noAccountFound`: valid for one sign-up or link by this device
/// within 10 minutes.
public struct PendingIdentity: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The value to send to the server.
    public let value: String
    /// The provider of the identity.
    public let provider: ProviderName?
    /// When it expires.
    public let expiresAt: Date?

    /// Creates a pending identity.
    public init(value: String, provider: ProviderName?, expiresAt: Date?) {
        self.value = value
        self.provider = provider
        self.expiresAt = expiresAt
    }

    /// The provider, without the value: texts and dumps of errors have no secret.
    public var description: String { "pending identity of \(provider.map { "\($0)" } ?? "a provider")" }
    /// No values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The identity of the user: from a provider's ID token, or from a sign-in that found no account.
public enum SignInCredential: Sendable {
    /// A provider's ID token.
    case credential(ProviderCredential)
    /// A pending identity.
    case pending(PendingIdentity)
}

/// A sign-in with its changes to the account.
public struct SignInReport: Sendable {
    /// The signed-in account after the sign-in.
    public let user: User
    /// The providers whose pending unlinking the sign-in cancelled.
    public let keptProviders: [LinkedProvider]

    init(_ signedIn: SignedIn) {
        let undone = signedIn.undoneUnlinks ?? []
        user = signedIn.user
        keptProviders = signedIn.user.linkedProviders.filter { undone.contains($0.linkID) }
    }
}

/// The result of a sign-in that also links another identity.
public struct LinkingSignIn: Sendable {
    /// The signed-in account after the sign-in.
    public let user: User
    /// The providers whose pending unlinking the sign-in cancelled.
    public let keptProviders: [LinkedProvider]
    /// The reason why the identity was not linked; `nil` if it was.
    public let failure: PhotolalaError?
}

extension User {
    /// Returns the account with other linked identities.
    func replacingLinkedProviders(with links: [LinkedProvider]) -> User {
        User(
            serviceUserID: serviceUserID, primaryProvider: primaryProvider, linkedProviders: links,
            displayName: displayName, createdAt: createdAt, subscription: subscription, storageUsed: storageUsed,
            storageCountedAt: storageCountedAt
        )
    }
}
