import PhotolalaAPI

/// Says whether the session behind storage credentials still stands, so that the credentials of a removed device or of
/// a closed account stop at once and not when they expire, and those of an account that is over its limit write no more.
package protocol StorageSessionCheck: Sendable {
    /// How far the account's credentials reach at this moment; `nil` when the device is no longer signed in with this
    /// session, or the account gets none.
    /// - Throws: when it cannot be told; the request is then answered as unavailable, never as allowed.
    func access(of session: SealedStorageSession) async throws -> StorageAccessLevel?
}
