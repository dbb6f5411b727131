import ObjectStorage
import PhotolalaAPI
import Secrets

/// Why an act on an account did not happen.
package enum AccountError: Error, Equatable, Sendable {
    /// The account is gone, being purged, or was never finished.
    case accountNotUsable
    /// The session that asked was over when the act was to happen.
    case sessionEnded
    /// The identity belongs to another account.
    case identityTaken
    /// An account keeps at least one active identity.
    case lastProvider
    /// The account has no such link.
    case noSuchLink
    /// A sign-up took so long that repair may already count it as abandoned.
    case tooSlow
    /// Others kept changing the same account; nothing of this act was done.
    case contended
    /// A stored object is not what the protocol writes.
    case corrupted(String)
    case store(ObjectStoreError)
    case secrets(SecretsError)
}

extension AccountError {
    /// Runs a store request and names its failure as ours.
    static func storing<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(AccountError) -> Value {
        do {
            return try await request()
        } catch .corrupted(let key) {
            throw .corrupted(key)
        } catch {
            throw .store(error)
        }
    }
}
