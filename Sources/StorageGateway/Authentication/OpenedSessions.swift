import Crypto
import Foundation
import ObjectStorage
import Secrets
import StorageAccess
import Synchronization

/// The storage sessions that an instance opened last, by the hash of access key id and token: a client sends the same
/// token for an hour. The signature, the expiry and the account's state are still checked at each use.
final class OpenedSessions: Sendable {
    private let keyRing: KeyRing
    private let sessions = Mutex(RecentValues<SHA256Digest, SealedStorageSession>(capacity: 4000))

    init(keyRing: KeyRing) { self.keyRing = keyRing }

    /// Opens a session token; `nil` if it was not issued by this service or belongs to another access key.
    func session(token: String, accessKeyID: String) -> SealedStorageSession? {
        let digest = SHA256.hash(data: Data("\(accessKeyID) \(token)".utf8))
        if let known = sessions.withLock({ $0.value(digest) }) { return known }
        guard
            let session = SealedStorageSession.open(token: token, accessKeyID: accessKeyID, keyRing: keyRing)
        else { return nil }
        sessions.withLock { $0.insert(session, at: digest) }
        return session
    }
}
