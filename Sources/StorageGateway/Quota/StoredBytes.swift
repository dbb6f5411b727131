import Foundation
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// What users store, for as long as they write: each write is admitted before its first byte is read, so that no number of
/// uploads at once gets past the limit.
final class StoredBytes: Sendable {
    /// How many users are kept in memory. One who was let go is counted again at the next write.
    private static let maximumUsers = 4096

    private let store: any ObjectStore
    private let now: @Sendable () -> Date
    private let users = Mutex<[UserID: UserStoredBytes]>([:])

    init(store: any ObjectStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    func of(_ user: UserID) -> UserStoredBytes {
        users.withLock { users in
            if let known = users[user] { return known }
            if users.count >= Self.maximumUsers {
                // Whoever is writing holds theirs; the others cost a count each.
                users = users.filter { $0.value.isWriting }
            }
            let new = UserStoredBytes(user, store: store, now: now)
            users[user] = new
            return new
        }
    }
}
