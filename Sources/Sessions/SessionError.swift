import ObjectStorage
import Secrets

/// An error from opening, using, renewing or ending a session.
package enum SessionError: StoreErrorConvertible, Equatable, Sendable {
    /// The token is not authentic, not for this service, or has expired. The reason is for the log.
    case invalidToken(String)
    /// The DPoP proof is missing, was used before, or does not match this request and token. The text states the
    /// requirement, for the sender.
    case invalidDPoPProof(String)
    /// The DPoP proof has no nonce that is currently valid.
    case nonceRequired
    /// The session ended: signed out, removed, expired, of an earlier epoch, or its refresh token was reused.
    case ended
    /// The account is disabled and gets no sessions.
    case accountDisabled
    /// A refresh token was reused after its successor was used or the grace period had passed; the session was ended.
    case refreshTokenReused
    /// The device record has the largest number of pending audit events; they must be flushed first.
    case tooManyPendingEvents
    /// The account has no such device.
    case noSuchDevice
    /// The device has a valid session that the requesting identity must not end.
    case sessionProtected
    /// Concurrent changes to the same device or code kept conflicting.
    case contended
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
