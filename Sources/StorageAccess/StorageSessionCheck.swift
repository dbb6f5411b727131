import PhotolalaAPI

/// Says whether the session behind storage credentials still stands, so that the credentials of a removed device or of
/// a closed account stop at once and not when they expire, and those of an account that is over its limit write no more.
package protocol StorageSessionCheck: Sendable {
    /// What the account's credentials may do at this moment; `nil` when the device is no longer signed in with this
    /// session, or the account gets none.
    /// - Throws: when it cannot be told; the request is then answered as unavailable, never as allowed.
    func standing(of session: SealedStorageSession) async throws -> StorageStanding?
}

/// What an account may do in its storage at one moment.
package struct StorageStanding: Sendable, Equatable {
    package let access: StorageAccessLevel
    /// Bytes that it may store.
    package let storageLimit: Int64

    package init(access: StorageAccessLevel, storageLimit: Int64) {
        self.access = access
        self.storageLimit = storageLimit
    }
}
