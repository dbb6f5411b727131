import ObjectStorage
import PhotolalaAPI
import Secrets

/// An error from an account operation.
package enum AccountError: StoreErrorConvertible, Equatable, Sendable {
    /// The account does not exist, is being purged, or was never finished.
    case accountNotUsable
    /// The requesting session ended before the operation was applied.
    case sessionEnded
    /// The identity that authenticated in the requesting session was unlinked before the operation was applied.
    case authenticationEnded
    /// The identity is bound to another account.
    case identityTaken
    /// The ID token was issued before the provider revoked the identity or ended its sessions.
    case identityTokenOutdated
    /// The account already has the largest allowed number of links.
    case tooManyLinks
    /// An account must keep at least one active identity.
    case lastProvider
    /// An unlink is pending, and only a session of an older identity can do this.
    case unlinkPending
    /// The deletion of the account is scheduled.
    case deletionScheduled
    /// No such deletion of the account is scheduled.
    case noDeletionScheduled
    /// No identity is being moved to the account, or the move was cancelled.
    case noIdentityMove
    /// A moving identity has left its account: the move must be completed.
    case identityHasLeft
    /// The account has no such link.
    case noSuchLink
    /// The sign-up took so long that repair may already treat it as abandoned.
    case signUpTooSlow
    /// Concurrent changes to the same account kept conflicting. The operation was not applied.
    case contended
    /// The binding keys of identities are unknown: the store manifest names a master key that is not configured, or a
    /// legacy import is in progress.
    case bindingKeysUnavailable(StoreManifestError)
    /// A stored object violates the protocol's format.
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
