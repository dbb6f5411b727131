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
    private let users = Mutex<[UserID: Entry]>([:])

    private struct Entry {
        let bytes: UserStoredBytes
        /// How many writes go on.
        var holders = 0
    }

    init(store: any ObjectStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// What a user stores, for one write: there is one count of a user's bytes as long as anybody holds it. To be released.
    func hold(_ user: UserID) -> UserStoredBytes {
        users.withLock { users in
            if users[user] == nil, users.count >= Self.maximumUsers {
                // The others cost a count each when they write again.
                users = users.filter { $0.value.holders > 0 }
            }
            var entry = users[user] ?? Entry(bytes: UserStoredBytes(user, store: store, now: now))
            entry.holders += 1
            users[user] = entry
            return entry.bytes
        }
    }

    func release(_ user: UserID) {
        users.withLock { $0[user]?.holders -= 1 }
    }

    /// Notes that something of a user's went.
    func noteDeletion(of user: UserID) {
        users.withLock { $0[user]?.bytes }?.noteDeletion()
    }
}
