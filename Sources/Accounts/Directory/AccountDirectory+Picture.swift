import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Records the version of an account's stored picture, so that a page which shows the picture does not read it.
    /// One read, and one write if the version changed.
    /// - Throws: `accountNotUsable` if there is no such account.
    package func recordPicture(_ version: String?, of user: UserID) async throws(AccountError) {
        // The caller's copy of the document may be older than the stored picture.
        guard let account = try await account(user) else { throw .accountNotUsable }
        _ = try await change(account) { $0.pictureVersion = version }
    }
}
