import Crypto
import ObjectStorage
import Synchronization

/// The access tokens whose signature an instance verified last, by their hash: an app sends the same token for an hour.
/// The key, the expiry and the session are still checked at each use.
final class VerifiedTokens: Sendable {
    struct Entry: Sendable {
        let keyID: String
        let claims: AccessClaims
    }

    private let entries = Mutex(RecentValues<SHA256Digest, Entry>(capacity: 4000))

    subscript(_ digest: SHA256Digest) -> Entry? { entries.withLock { $0.value(digest) } }

    func insert(_ entry: Entry, _ digest: SHA256Digest) { entries.withLock { $0.insert(entry, at: digest) } }
}
