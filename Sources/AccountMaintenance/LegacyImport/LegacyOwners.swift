import Accounts
import ObjectStorage
import PhotolalaAPI

/// Decides whose objects may be moved; checked once for consecutive objects of one user.
struct LegacyOwners {
    private let pass: ImportPass
    private var last: (user: UserID, mayMove: Bool)?

    init(_ pass: ImportPass) { self.pass = pass }

    /// Returns whether the user's account was created by an import. An existing account's objects are managed by its
    /// user.
    mutating func mayImport(_ user: UserID, _ key: ObjectKey) async throws(AccountError) -> Bool {
        if let last, last.user == user { return last.mayMove }
        var mayMove = false
        if let account = try await pass.directory.account(user) {
            mayMove = try await pass.directory.wasImported(account.value)
        } else {
            pass.tally.record(.userUnclaimed, user, key.owner)
        }
        last = (user, mayMove)
        return mayMove
    }
}

extension ObjectKey {
    /// The first two segments with their slashes: the prefix of all objects of one user in one folder.
    var owner: String {
        description.split(separator: "/", omittingEmptySubsequences: false).prefix(2).map { "\($0)/" }.joined()
    }
}
