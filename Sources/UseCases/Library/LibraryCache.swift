import PhotolalaAPI
import Synchronization

/// The process-wide cache of viewed libraries, and of the credentials that sign their links.
final class LibraryCache: Sendable {
    private let libraries: Mutex<LRUCache<UserID, CachedLibrary>>
    private let credentials = Mutex(LRUCache<CredentialKey, CachedCredentials>(limit: 4096))

    /// - Parameter limit: the total size of all catalogs, in bytes.
    init(limit: Int) { libraries = Mutex(LRUCache(limit: limit)) }

    func library(of user: UserID) -> CachedLibrary? { libraries.withLock { $0.value(for: user) } }

    func store(_ library: CachedLibrary, of user: UserID) {
        libraries.withLock { $0.insert(library, for: user, cost: library.cost) }
    }

    func credentials(_ key: CredentialKey) -> CachedCredentials? { credentials.withLock { $0.value(for: key) } }

    func store(_ held: CachedCredentials, for key: CredentialKey) {
        credentials.withLock { $0.insert(held, for: key, cost: 1) }
    }
}
