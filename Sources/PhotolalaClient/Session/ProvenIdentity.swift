import Foundation
import PhotolalaAPI

/// A provider's proof of who is there, as the app got it.
public struct ProviderProof: Sendable {
    /// Whose token it is.
    public var provider: ProviderName
    /// The provider's identity token, at most 16 KiB; of Facebook a classic access token too, where the server allows it.
    public var idToken: String
    /// The challenge whose value is the token's nonce.
    public var challenge: String?
    /// The provider's authorization code, where the app got one.
    public var authorizationCode: String?

    /// Presents a proof.
    public init(provider: ProviderName, idToken: String, challenge: String? = nil, authorizationCode: String? = nil) {
        self.provider = provider
        self.idToken = idToken
        self.challenge = challenge
        self.authorizationCode = authorizationCode
    }
}

/// A proof that the server keeps after `noAccountFound`: good for one sign-up or link by this device within 10 minutes.
public struct PendingIdentity: Sendable, Codable, Equatable {
    /// What to send back.
    public let value: String
    /// Whose proof it was.
    public let provider: ProviderName?
    /// When it ends.
    public let expiresAt: Date?

    /// Keeps a proof.
    public init(value: String, provider: ProviderName?, expiresAt: Date?) {
        self.value = value
        self.provider = provider
        self.expiresAt = expiresAt
    }
}

/// Who is there: proved just now, or at the sign-in that found no account.
public enum ProvenIdentity: Sendable {
    /// A provider's token.
    case proof(ProviderProof)
    /// The proof that the server keeps.
    case pending(PendingIdentity)
}

/// A sign-in, with what it changed in the account.
public struct SignInReport: Sendable {
    /// The account that is signed in, as it is now.
    public let user: User
    /// The providers of which the sign-in undid the pending unlinking.
    public let keptProviders: [LinkedProvider]

    init(_ answer: SignedIn) {
        let undone = answer.undoneUnlinks ?? []
        user = answer.user
        keptProviders = answer.user.linkedProviders.filter { undone.contains($0.linkID) }
    }
}

/// A sign-in that was to link another identity as well.
public struct LinkingSignIn: Sendable {
    /// The account that is signed in, as it is now.
    public let user: User
    /// The providers of which the sign-in undid the pending unlinking.
    public let keptProviders: [LinkedProvider]
    /// What kept the identity from being linked; `nil` when it was.
    public let failure: PhotolalaError?
}

extension User {
    /// The same account with other identities that open it.
    func opening(with links: [LinkedProvider]) -> User {
        User(
            serviceUserID: serviceUserID, primaryProvider: primaryProvider, linkedProviders: links,
            displayName: displayName, createdAt: createdAt, subscription: subscription, storageUsed: storageUsed,
            storageCountedAt: storageCountedAt
        )
    }
}
