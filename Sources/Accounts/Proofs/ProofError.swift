import ObjectStorage
import Secrets

/// Why a challenge or a pending identity is not accepted. The reason is for the log.
package enum ProofError: Error, Equatable, Sendable {
    /// It is not ours, or was changed.
    case notAuthentic
    case expired
    /// It was used already.
    case spent
    /// It was made for another purpose, device or account.
    case wrongPurpose
    /// The token's nonce is not this challenge.
    case nonceMismatch
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
