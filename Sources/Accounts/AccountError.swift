import ObjectStorage
import PhotolalaAPI
import Secrets

/// Why an act on an account did not happen.
package enum AccountError: StoreFailing, Equatable, Sendable {
    /// The account is gone, being purged, or was never finished.
    case accountNotUsable
    /// The session that asked was over when the act was to happen.
    case sessionEnded
    /// The identity belongs to another account.
    case identityTaken
    /// The provider's token is older than the provider's own word that ended what it proves.
    case proofOutdated
    /// An account holds no more links.
    case tooManyLinks
    /// An account keeps at least one active identity.
    case lastProvider
    /// An unlinking is pending, and only a session of an older identity can do this.
    case unlinkPending
    /// The account has no such link.
    case noSuchLink
    /// A sign-up took so long that repair may already count it as abandoned.
    case tooSlow
    /// Others kept changing the same account; nothing of this act was done.
    case contended
    /// The names of identities are not known: the store's stamp names a master key that is not configured, or older
    /// layouts are being moved.
    case unknownNames(StoreStampError)
    /// A stored object is not what the protocol writes.
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
