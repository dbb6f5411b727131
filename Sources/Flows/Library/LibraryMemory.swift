import PhotolalaAPI
import Synchronization

/// The process-wide cache of viewed libraries, and of the credentials that sign their links.
final class LibraryMemory: Sendable {
    private let libraries: Mutex<RecentValues<UserID, KnownLibrary>>
    private let credentials = Mutex(RecentValues<CredentialKey, HeldCredentials>(limit: 4096))

    /// - Parameter limit: the total size of all catalogs, in bytes.
    init(limit: Int) { libraries = Mutex(RecentValues(limit: limit)) }

    func library(of user: UserID) -> KnownLibrary? { libraries.withLock { $0.value(for: user) } }

    func keep(_ library: KnownLibrary, of user: UserID) {
        libraries.withLock { $0.insert(library, for: user, cost: library.cost) }
    }

    func credentials(_ key: CredentialKey) -> HeldCredentials? { credentials.withLock { $0.value(for: key) } }

    func keep(_ held: HeldCredentials, for key: CredentialKey) {
        credentials.withLock { $0.insert(held, for: key, cost: 1) }
    }
}
