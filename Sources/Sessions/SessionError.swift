import ObjectStorage
import Secrets

/// Why a session could not be opened, used, renewed or ended.
package enum SessionError: StoreFailing, Equatable, Sendable {
    /// The token is not ours, not for here, or has ended. The reason is for the log.
    case invalidToken(String)
    /// The proof of the device's key is missing, was used before, or is not for this request and token; the text says
    /// what it should be, for its sender.
    case invalidProof(String)
    /// The proof answers no nonce of ours that is good now.
    case nonceNeeded
    /// The session is over: signed out, removed, expired, of an earlier epoch, or its refresh token was used twice.
    case ended
    /// A used refresh token came again after its successor was used or the grace had passed: the session was ended.
    case reused
    /// The device's record keeps as many acts as it may: they have to go into the account's audit chain first.
    case tooManyActs
    /// The account has no such device.
    case noSuchDevice
    /// Others kept changing the same device.
    case contended
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
