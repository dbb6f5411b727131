import PhotolalaAPI

/// Checks the session behind storage credentials, so that the credentials of a removed device or a closed account
/// become invalid immediately and not when they expire, and those of an account over its limit can no longer write.
package protocol StorageSessionCheck: Sendable {
    /// Returns the current access of the account's credentials; `nil` if the device is no longer signed in with this
    /// session, or the account has no access.
    /// - Throws: If the session cannot be checked; the request is then answered as unavailable, never as allowed.
    func entitlement(of session: SealedStorageSession) async throws -> StorageEntitlement?
}

/// The current storage access of an account.
package struct StorageEntitlement: Sendable, Equatable {
    package let access: StorageAccessLevel
    /// The storage limit, in bytes.
    package let storageLimit: Int64

    package init(access: StorageAccessLevel, storageLimit: Int64) {
        self.access = access
        self.storageLimit = storageLimit
    }
}
