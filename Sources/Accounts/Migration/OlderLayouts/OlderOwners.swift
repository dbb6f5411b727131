import ObjectStorage
import PhotolalaAPI

/// Whose objects may be moved, asked once for the objects of one user that follow each other.
struct OlderOwners {
    private let pass: LayoutPass
    private var last: (user: UserID, mayMove: Bool)?

    init(_ pass: LayoutPass) { self.pass = pass }

    /// Only those of accounts that a move has made: an account's own objects are its user's to arrange.
    mutating func mayMove(_ user: UserID, _ key: ObjectKey) async throws(AccountError) -> Bool {
        if let last, last.user == user { return last.mayMove }
        var mayMove = false
        if let account = try await pass.directory.account(user) {
            mayMove = try await pass.directory.isTakenIn(account.value)
        } else {
            pass.tally.tell(.userUnclaimed, user, key.owner)
        }
        last = (user, mayMove)
        return mayMove
    }
}

extension ObjectKey {
    /// The first two segments with their ends: all objects of one user in one folder.
    var owner: String {
        description.split(separator: "/", omittingEmptySubsequences: false).prefix(2).map { "\($0)/" }.joined()
    }
}
