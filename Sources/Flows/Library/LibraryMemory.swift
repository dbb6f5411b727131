import PhotolalaAPI
import Synchronization

/// What this process remembers of libraries that are looked at now, and of the credentials that their links are signed
/// with.
final class LibraryMemory: Sendable {
    private let libraries: Mutex<RecentValues<UserID, KnownLibrary>>
    private let credentials = Mutex(RecentValues<CredentialKey, HeldCredentials>(limit: 4096))

    /// - Parameter limit: of all catalogs' bytes together.
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
