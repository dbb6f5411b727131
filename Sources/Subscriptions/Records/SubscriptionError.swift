import ObjectStorage
import Secrets

/// Why a subscription was not taken.
package enum SubscriptionError: Error, Equatable, Sendable {
    /// It counts for another account, or its buyer named another one.
    case othersSubscription
    /// Nobody has brought this one yet, or it is somebody else's.
    case notFound
    /// The move ticket is none, has ended, or was used.
    case invalidTicket
    /// It cannot be moved: somebody of the family bought it.
    case familyShared
    case contended
    /// A stored object is not what the protocol writes.
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}
