import ObjectStorage
import Secrets

/// Why an operation on a subscription failed.
package enum SubscriptionError: Error, Equatable, Sendable {
    /// The subscription belongs to another account, or its buyer named another account.
    case ownedByOther
    /// The subscription is unknown or belongs to another account.
    case notFound
    /// The move ticket is malformed, expired or used.
    case invalidTicket
    /// The subscription cannot be moved, because another member of the family bought it.
    case familyShared
    case contended
    /// A stored object is malformed.
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
