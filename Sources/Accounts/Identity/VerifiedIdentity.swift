import Foundation
import PhotolalaAPI

/// What a provider's token proved, after every check. The only place a subject comes from.
package struct VerifiedIdentity: Sendable, Equatable, Codable {
    package let provider: ProviderName
    /// The provider's id for the person: opaque, case-sensitive, 1 to 255 bytes.
    package let subject: String
    package let email: VerifiedEmail?
    /// The token's nonce as it stands in the token, if there was one. It is compared once and not kept.
    package private(set) var nonce: String?
    /// The provider says that its sign-in on this system cannot carry a nonce.
    package private(set) var lacksNonceSupport = false
    /// How it is known again, where it answers no challenge and is therefore taken once only.
    package private(set) var mark: TokenMark?
    /// Which of our clients the token was made for; codes that came with it are that client's.
    package private(set) var clientID: String?
    /// Under which id the person was announced when the app moved to this team; not kept.
    package private(set) var transferID: String?
    /// When the provider issued the token.
    package let issuedAt: Date

    private enum CodingKeys: CodingKey { case provider, subject, email, clientID, issuedAt }

    package init(
        provider: ProviderName, subject: String, email: VerifiedEmail? = nil, nonce: String? = nil,
        lacksNonceSupport: Bool = false, mark: TokenMark? = nil, clientID: String? = nil, transferID: String? = nil,
        issuedAt: Date
    ) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.nonce = nonce
        self.lacksNonceSupport = lacksNonceSupport
        self.mark = mark
        self.clientID = clientID
        self.transferID = transferID
        self.issuedAt = issuedAt
    }
}

/// What a token that is taken once only leaves behind.
package struct TokenMark: Sendable, Equatable {
    /// The same for the same token, and tells nothing of it.
    package let id: String
    /// From then on the token is refused for its age.
    package let expiresAt: Date

    package init(id: String, expiresAt: Date) {
        self.id = id
        self.expiresAt = expiresAt
    }
}

/// An e-mail address from a token, with what the provider says of it.
package struct VerifiedEmail: Sendable, Equatable, Codable {
    package let address: String
    /// The provider says it has checked the address.
    package let isVerified: Bool
    /// A relay address that the provider made up for this service.
    package let isPrivate: Bool
    /// The deployment accepts the provider's check as proof that the person holds the mailbox.
    package let isTrusted: Bool

    private enum CodingKeys: String, CodingKey {
        case address, isVerified, isPrivate
        // The member's name in identities that were sealed by earlier versions.
        case isTrusted = "isAuthoritative"
    }

    package init(address: String, isVerified: Bool, isPrivate: Bool, isTrusted: Bool) {
        self.address = address
        self.isVerified = isVerified
        self.isPrivate = isPrivate
        self.isTrusted = isTrusted
    }

    /// Whether the token proves that the person holds this mailbox. Only such an address leaves or finds a hint.
    package var isProof: Bool { isVerified && isTrusted && !isPrivate }
}
