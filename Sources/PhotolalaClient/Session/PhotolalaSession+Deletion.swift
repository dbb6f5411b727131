import Foundation
import PhotolalaAPI

/// Deletes the account. Apps that create accounts must offer it (App Store Review Guidelines 5.1.1(v)).
///
/// ```swift
/// let overview = try await session.deletionOverview()
/// // Show what is deleted, and ask the person to type DELETE.
/// let scheduled = try await session.deleteAccount(confirmation: typed)
/// // Show scheduled.undoCode and scheduled.receiptCode once.
/// try session.removeLocalData()
/// ```
extension PhotolalaSession {
    /// Returns what a deletion of the account removes, and the scheduled deletion if there is one.
    public func deletionOverview() async throws(PhotolalaError) -> DeletionOverview {
        try await authorized(.deletion).value
    }

    /// Schedules the deletion of the account and ends the sessions of all devices, including this one. Until the date in
    /// the result, signing in and ``cancelDeletion()`` restores the account; so does the undo code. Requires authentication
    /// within the last 10 minutes.
    /// - Parameter confirmation: what the person typed; the server accepts only `DELETE`.
    /// - Throws: `reauthenticationRequired`, `identityTooNew`, `accountDeleting` if it is scheduled already;
    ///   `outcomeUnknown` also if the task is cancelled after the request was sent, because the deletion may be scheduled.
    public func deleteAccount(confirmation: String) async throws(PhotolalaError) -> DeletionOverview {
        let request = DeletionRequest(confirmation: confirmation)
        let (response, used) = try await answer(.requestDeletion, body: request)
        // The codes are returned only once: a session that cannot be removed now is removed by the next call, which the
        // server rejects. Another sign-in may have replaced the session in the meantime.
        try? vault.removeEnded(used)
        return response.value
    }

    /// Cancels the scheduled deletion of the account.
    /// - Throws: `noDeletionScheduled`.
    @discardableResult
    public func cancelDeletion() async throws(PhotolalaError) -> DeletionOverview {
        try await authorized(.cancelDeletion).value
    }

    /// Cancels a scheduled deletion with its undo code. Needs no session.
    /// - Throws: `noDeletionScheduled` for a wrong code or when it is too late.
    public func undoDeletion(code: String) async throws(PhotolalaError) {
        _ = try await connection.send(.undoDeletion, body: DeletionUndo(undoCode: code))
    }

    /// Returns the state of a deletion and, once it is complete, its signed receipt. Needs no session.
    /// - Throws: `notFound` for a wrong code.
    public func deletionStatus(receiptCode: String) async throws(PhotolalaError) -> DeletionStatus {
        try await connection.send(
            .deletionReceipt, body: DeletionReceiptRequest(receiptCode: receiptCode)
        ).value
    }

    /// Removes everything that this device has stored for the account: the session, the device's ID, preferences, and the
    /// records of backups and syncs. Never removes photos. A later sign-in, also with this session, is a new device, and
    /// its first backup reads all files again.
    /// - Throws: `localStorageFailed`; calling it again continues.
    public func removeLocalData() throws(PhotolalaError) {
        if account != nil, let stored = try? vault.load(), stored.user != account { throw .notSignedIn }
        _ = try vault.removeSession(of: account)
        try vault.forgetDevice()
        try profile.removeContents()
    }
}
