import Accounts
import Foundation
import PhotolalaAPI
import Subscriptions

/// Why a flow did not do as it was asked: facts a door can answer with. Reasons in texts are for the log.
package enum FlowError: Error, Equatable, Sendable {
    /// The body or a parameter breaks a rule of the contract; the text is for the caller.
    case invalidRequest(String)
    case unknownProvider(ProviderName)
    case invalidToken(IdentityTokenError)
    /// What came to a webhook is not the provider's.
    case invalidEvent(IdentityTokenError)
    case challengeRequired
    case invalidChallenge(ProofError)
    case invalidPendingIdentity(ProofError)
    /// An authorization code of ours is none, is used, or is somebody else's.
    case invalidCode(String)
    /// `client_id` names no app of this server.
    case unknownApp
    /// Nobody has decided yet about a device that waits.
    case authorizationPending
    /// A waiting device asked before its interval had passed.
    case slowDown
    /// The person did not let the device in.
    case deviceDenied
    /// The request names another device than the session's.
    case deviceMismatch
    /// No access token, or one that is not good here.
    case unauthorized(String)
    /// The proof of the device's key is missing, used, or not for this call and token; the text is for the caller.
    case invalidProof(String)
    /// The proof of the device's key answers no nonce that is good now.
    case nonceNeeded
    case sessionEnded
    /// A used refresh token came again; its session was ended.
    case refreshTokenReused
    case reauthenticationRequired
    case continueNotAllowed
    /// A form or a link that did not come from a page of ours, or whose page is of an earlier session.
    case formOutdated
    case noAccountFound(UnknownIdentity)
    case accountAlreadyExists
    case providerAlreadyLinked
    case lastProvider
    /// An unlinking is pending, and only a session of an older identity can do this.
    case unlinkPending
    /// The identity was linked a short time ago, and only an older one can do this.
    case identityTooNew
    case tooManyLinks
    /// There is no such thing, or it is another's.
    case notFound
    case changedMeanwhile
    /// The user's own profile object is none.
    case profileUnreadable
    /// The account is being deleted: nothing is stored any more.
    case storageReadOnly
    /// There is no room for it: so many bytes are stored, or kept free for other uploads.
    case quotaExceeded(used: Int64, limit: Int64)
    /// The library's catalog in the store is damaged.
    case catalogDamaged(String)
    /// The library's catalog was written by a newer version, or is larger than memory is given for.
    case catalogUnusable(String)
    /// This deployment takes no purchases.
    case purchasesNotTaken
    /// What was presented is no purchase that Apple signed for this app.
    case invalidTransaction(SignedDataError)
    /// What came as the App Store's notification is none.
    case invalidNotification(SignedDataError)
    /// It was bought, but gives no tier here.
    case unknownProduct(String)
    /// The subscription counts for another account, or its buyer named another one.
    case subscriptionTaken
    case invalidMoveTicket
    /// Somebody else of the family bought it.
    case familyShared
    /// Apple signed the transaction too long ago to show who holds it now.
    case transactionTooOld
    /// The store or a provider does not answer.
    case unavailable(String)
    /// The clock is earlier than the first use of every signing key.
    case clockIsBehind
    /// Accounts cannot be written: the store says why.
    case storeFault(StoreFault)
    case outOfSpace
    /// The client, the identity or the session made too many calls. Seconds.
    case rateLimited(retryAfter: Int)
    /// All clients together make more calls than are served. Seconds.
    case overloaded(retryAfter: Int)
    case `internal`(String)
}

/// An identity that nobody has signed up with, kept for Create Account or Link.
package struct UnknownIdentity: Equatable, Sendable {
    package let provider: ProviderName
    package let pendingIdentity: String
    package let expiresAt: Date
    /// Providers that the owner of the proven address signs in with.
    package let hints: [ProviderName]
}
