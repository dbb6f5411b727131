import Foundation
import PhotolalaAPI

/// An identity from a provider's ID token that passed every check. The only source of subjects.
package struct VerifiedIdentity: Sendable, Equatable, Codable {
    package let provider: ProviderName
    /// The provider's id for the user: opaque, case-sensitive, 1 to 255 bytes.
    package let subject: String
    package let email: VerifiedEmail?
    /// The token's nonce, unchanged, if it has one. It is compared once and not stored.
    package private(set) var nonce: String?
    /// Whether the provider states that its sign-in on this system cannot carry a nonce.
    package private(set) var lacksNonceSupport = false
    /// Identifies a token that answers no challenge and is therefore accepted only once.
    package private(set) var replayMarker: TokenReplayMarker?
    /// The client for which the token was issued; codes that came with it belong to that client.
    package private(set) var clientID: String?
    /// The id under which the user was announced when the app moved to this team; not stored.
    package private(set) var transferID: String?
    /// When the provider issued the token.
    package let issuedAt: Date

    private enum CodingKeys: CodingKey { case provider, subject, email, clientID, issuedAt }

    package init(
        provider: ProviderName, subject: String, email: VerifiedEmail? = nil, nonce: String? = nil,
        lacksNonceSupport: Bool = false, replayMarker: TokenReplayMarker? = nil, clientID: String? = nil,
        transferID: String? = nil,
        issuedAt: Date
    ) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.nonce = nonce
        self.lacksNonceSupport = lacksNonceSupport
        self.replayMarker = replayMarker
        self.clientID = clientID
        self.transferID = transferID
        self.issuedAt = issuedAt
    }
}

/// The replay marker of a token that is accepted only once.
package struct TokenReplayMarker: Sendable, Equatable {
    /// Derived from the token; the same for the same token, and reveals nothing about it.
    package let id: String
    /// After this time the token is rejected for its age.
    package let expiresAt: Date

    package init(id: String, expiresAt: Date) {
        self.id = id
        self.expiresAt = expiresAt
    }
}

/// An e-mail address from a token, with the provider's statements about it.
package struct VerifiedEmail: Sendable, Equatable, Codable {
    package let address: String
    /// Whether the provider states that it has verified the address.
    package let isVerified: Bool
    /// Whether it is a relay address that the provider created for this service.
    package let isPrivate: Bool
    /// Whether the deployment accepts the provider's verification as evidence that the user owns the mailbox.
    package let isTrusted: Bool

    private enum CodingKeys: String, CodingKey {
        case address, isVerified, isPrivate
        // The member name in identities that earlier versions sealed.
        case isTrusted = "isAuthoritative"
    }

    package init(address: String, isVerified: Bool, isPrivate: Bool, isTrusted: Bool) {
        self.address = address
        self.isVerified = isVerified
        self.isPrivate = isPrivate
        self.isTrusted = isTrusted
    }

    /// Whether the token proves that the user owns this mailbox. Only such an address creates or finds a hint.
    package var provesOwnership: Bool { isVerified && isTrusted && !isPrivate }
}
