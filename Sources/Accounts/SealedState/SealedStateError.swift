import ObjectStorage
import Secrets

/// Why a challenge, pending identity or sealed browser state was rejected. The reason is for the log.
package enum SealedStateError: Error, Equatable, Sendable {
    /// It was not made by this service, or was changed.
    case notAuthentic
    case expired
    /// It was already used.
    case alreadyUsed
    /// It was made for another purpose, device or account.
    case wrongPurpose
    /// The token's nonce does not match this challenge.
    case nonceMismatch
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
