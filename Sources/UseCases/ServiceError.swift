import Accounts
import Foundation
import PhotolalaAPI
import Subscriptions

/// The errors of use cases, which endpoints map to responses. Texts are for the log unless stated otherwise.
package enum ServiceError: Error, Equatable, Sendable {
    /// The body or a parameter violates the API contract; the text is for the caller.
    case invalidRequest(String)
    case unknownProvider(ProviderName)
    case invalidToken(IdentityTokenError)
    /// The webhook payload does not come from the provider.
    case invalidEvent(IdentityTokenError)
    case challengeRequired
    case invalidChallenge(SealedStateError)
    case invalidPendingIdentity(SealedStateError)
    /// An authorization code of this service is invalid, used, or issued to another client.
    case invalidCode(String)
    /// `client_id` names no app of this server.
    case unknownApp
    /// The user has not decided about a waiting device yet.
    case authorizationPending
    /// A waiting device polled before its interval had passed.
    case slowDown
    /// The user denied the device.
    case deviceDenied
    /// The request names a device other than the session's.
    case deviceMismatch
    /// The access token is missing or invalid.
    case unauthorized(String)
    /// The DPoP proof is missing, used, or not valid for this call and token; the text is for the caller.
    case invalidDPoPProof(String)
    /// The DPoP proof lacks a current nonce.
    case nonceRequired
    case sessionEnded
    /// A used refresh token was presented again; its session was ended.
    case refreshTokenReused
    case reauthenticationRequired
    case continueNotAllowed
    /// A form or link does not come from a page of this service, or its page belongs to an earlier session.
    case formOutdated
    case noAccountFound(UnknownIdentity)
    case accountAlreadyExists
    case providerAlreadyLinked
    case lastProvider
    /// An unlinking is pending, and only a session of an older identity can do this.
    case unlinkPending
    /// Only an older identity can do this: the identity was linked a short time ago, or the action would end a session
    /// that an older one authenticated recently.
    case identityTooNew
    /// An operator disabled the account. Thrown only to a caller that presents an ID token of one of its identities, or a
    /// refresh token of a session that the disabling ended.
    case accountDisabled
    /// The deletion of the account is scheduled.
    case accountDeleting
    /// No such deletion is scheduled, or it is too late to cancel it.
    case noDeletionScheduled
    case tooManyLinks
    /// The resource does not exist or belongs to another account.
    case notFound
    case preconditionFailed
    /// The user's profile object is malformed.
    case profileUnreadable
    /// The account is being deleted and accepts no writes.
    case storageReadOnly
    /// Stored bytes and the bytes reserved for other uploads leave no quota headroom.
    case quotaExceeded(used: Int64, limit: Int64)
    /// The library's catalog in the store is damaged.
    case catalogDamaged(String)
    /// The library's catalog was written by a newer version or exceeds the memory limit.
    case catalogUnusable(String)
    /// This deployment does not accept purchases.
    case purchasesNotConfigured
    /// This deployment has no shared links.
    case sharingDisabled
    /// The presented transaction is not a purchase that Apple signed for this app.
    case invalidTransaction(SignedDataError)
    /// The payload is not a valid App Store notification.
    case invalidNotification(SignedDataError)
    /// The purchased product gives no tier on this server.
    case unknownProduct(String)
    /// The subscription belongs to another account, or its buyer named another account.
    case subscriptionOwnedByOther
    case invalidMoveTicket
    /// Another member of the family bought the subscription.
    case familyShared
    /// Apple signed the transaction too long ago to show its current owner.
    case transactionTooOld
    /// The store or a provider does not answer.
    case unavailable(String)
    /// The clock is earlier than the first use of every signing key.
    case clockIsBehind
    /// The store reports a fault that prevents writes to accounts.
    case storeFault(StoreFault)
    case outOfSpace
    /// The client, the identity or the session made too many calls. In seconds.
    case rateLimited(retryAfter: Int)
    /// All clients together make more calls than the limit allows. In seconds.
    case overloaded(retryAfter: Int)
    case `internal`(String)
}

/// A verified identity without an account, sealed for Create Account or Link.
package struct UnknownIdentity: Equatable, Sendable {
    package let provider: ProviderName
    package let pendingIdentity: String
    package let expiresAt: Date
    /// The providers that the owner of the verified e-mail address signs in with.
    package let hints: [ProviderName]
}
