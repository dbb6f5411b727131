/// Says whether the session behind storage credentials still stands, so that the credentials of a removed device or of
/// a closed account stop at once and not when they expire.
package protocol StorageSessionCheck: Sendable {
    /// Whether the device is still signed in with this session and the account still active.
    /// - Throws: when it cannot be told; the request is then answered as unavailable, never as allowed.
    func isLive(_ session: SealedStorageSession) async throws -> Bool
}
