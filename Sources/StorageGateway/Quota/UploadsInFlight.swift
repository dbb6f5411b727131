import PhotolalaAPI
import Synchronization

/// The bytes that accounts are uploading: they are on the disk before the store counts them. Without a limit, uploads
/// that never finish could fill it.
final class UploadsInFlight: Sendable {
    /// The concurrent upload volume that every account is allowed, in bytes.
    private static let minimum: Int64 = 64 << 20

    private let users = Mutex<[UserID: Int64]>([:])

    /// Counts an upload, which must be ended with `end`.
    /// - Parameter limit: The account's storage limit in bytes. Larger concurrent uploads cannot all be kept, unless
    ///   they write to the same keys.
    func begin(_ size: Int64, of user: UserID, limit: Int64) throws(S3Error) {
        let isAllowed = users.withLock { users in
            let (sum, overflow) = users[user, default: 0].addingReportingOverflow(size)
            guard !overflow, users[user] == nil || sum <= max(limit, Self.minimum) else { return false }
            users[user] = sum
            return true
        }
        guard isAllowed else { throw .slowDown() }
    }

    func end(_ size: Int64, of user: UserID) {
        users.withLock { users in
            let remaining = users[user, default: 0] - size
            users[user] = remaining > 0 ? remaining : nil
        }
    }
}
