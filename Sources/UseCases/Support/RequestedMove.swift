import Accounts
import Foundation
import PhotolalaAPI

/// A requested move of an identity, as operators see it.
package struct RequestedMove: Encodable, Sendable, Equatable {
    /// The id of the move, which the completion must repeat.
    package let move: String
    package let provider: ProviderName
    /// The account that the identity leaves, and its link there.
    package let from: UserID
    package let link: LinkID
    package let effectiveAt: Date
    package let expiresAt: Date
    /// The name of the requesting operator.
    package let requestedBy: String
    /// Whether an operator other than the requesting one must complete it.
    package let needsSecondOperator: Bool

    init(_ arriving: ArrivingIdentity, from source: MoveSource, isProven: Bool) {
        move = arriving.move.uuidString.lowercased()
        provider = arriving.provider
        (from, link) = (source.user, source.link)
        (effectiveAt, expiresAt) = (arriving.effectiveAt, arriving.expiresAt)
        requestedBy = arriving.requestedBy.name
        needsSecondOperator = !isProven
    }
}

extension AccountDirectory {
    /// Returns how far a move to an account has come. One read.
    func progress(of arriving: ArrivingIdentity, to user: UserID) async throws(AccountError) -> MoveProgress {
        try await progress(of: arriving, from: try moveSource(of: arriving, user: user))
    }

    /// Returns the move to an account that is requested or not finished; `nil` for none. One read for an account with one.
    func requestedMove(to account: AccountDocument) async throws(AccountError) -> RequestedMove? {
        // The rest of a report does not depend on a seal that cannot be opened.
        guard let arriving = account.arrival, let source = try? moveSource(of: arriving, user: account.serviceUserID),
            try await progress(of: arriving, from: source) != .closed
        else { return nil }
        return RequestedMove(arriving, from: source, isProven: account.isProven(arriving, at: now()))
    }
}
