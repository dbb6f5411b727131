import Foundation
import PhotolalaAPI

/// A move of an identity to this account that an operator requested. One per account.
package struct ArrivingIdentity: Codable, Sendable, Equatable {
    /// The id of the move; the account that the identity leaves records the same one.
    package let move: UUID
    package let provider: ProviderName
    /// The `MoveSource`, sealed: this account must not reveal another one.
    package internal(set) var sealedSource: String
    package let requestedAt: Date
    /// From this time on the move can be completed.
    package let effectiveAt: Date
    /// The key of the operator who requested it.
    package let requestedBy: MovingOperator
    /// Whether the person proved both the identity and one of this account, so that one operator may complete it.
    package let isProven: Bool
    /// The reason of the operator who completes it; `nil` until then.
    package internal(set) var completion: String?
    /// The link that it gets, once it is listed.
    package internal(set) var link: LinkID?

    /// Returns whether the move can be completed now or later. One that was begun can be resumed at any time.
    package func isOpen(at time: Date) -> Bool {
        completion != nil || time < effectiveAt.addingTimeInterval(AccountDirectory.moveLifetime)
    }
}

/// The operator who requested a move. Another one must complete it, unless the person proved both identities.
package struct MovingOperator: Codable, Sendable, Equatable {
    package let keyID: String
    package let name: String

    package init(keyID: String, name: String) {
        self.keyID = keyID
        self.name = name
    }
}

/// A move of one of this account's identities to another account that an operator requested.
package struct DepartingIdentity: Codable, Sendable, Equatable {
    package let move: UUID
    package let link: LinkID
    /// From this time on the move can be completed.
    package let effectiveAt: Date

    /// Returns whether the move can be completed now or later.
    package func isOpen(at time: Date) -> Bool { time < effectiveAt.addingTimeInterval(AccountDirectory.moveLifetime) }
}

/// A moving identity, and where it comes from.
package struct MoveSource: Codable, Sendable {
    package let user: UserID
    package let link: LinkID
    package let subject: String
    /// The address that the link shows to its owner.
    var address: String?
    /// Whether the address left a hint.
    var hasHint = false
    /// Tokens and sessions from before this time are refused.
    var sessionsEndedAt: Date?

    /// The identity as the new link records it.
    func identity(_ provider: ProviderName, at time: Date) -> VerifiedIdentity {
        let email = address.map {
            VerifiedEmail(address: $0, isVerified: hasHint, isPrivate: false, isTrusted: hasHint)
        }
        return VerifiedIdentity(provider: provider, subject: subject, email: email, issuedAt: time)
    }
}

extension AccountDocument {
    /// Records that an identity is to leave, and the operator's reason. A later request replaces an earlier one.
    /// - Throws: `noSuchLink` if the identity is not linked, or in a team transfer; `lastProvider`.
    mutating func announceDeparture(
        _ departing: DepartingIdentity, reason: OperatorReason, at time: Date
    ) throws(AccountError) {
        let link = try departingLink(departing.link)
        departure = departing
        try audit.append(
            .init(
                action: .providerMoveRequested, reason: reason, provider: link.provider, link: link.id,
                effectiveAt: departing.effectiveAt, at: time))
    }

    /// Lists the identity as being removed, which ends its sessions.
    /// - Throws: `noIdentityMove` if the move was cancelled; `noSuchLink`, `lastProvider`.
    mutating func depart(_ move: UUID, reason: OperatorReason, at time: Date) throws(AccountError) {
        guard disabled == nil else { throw .accountNotUsable }
        guard let departing = departure, departing.move == move else { throw .noIdentityMove }
        let link = try departingLink(departing.link)
        departure = nil
        try remove(
            link,
            .init(action: .providerUnlinked, reason: reason, provider: link.provider, link: link.id, at: time), at: time
        )
        if primaryLinkID == link.id, let oldest = remainingLinks.first { primaryLinkID = oldest.id }
    }

    /// Cancels the move of an identity to or from this account, if it is still requested.
    mutating func cancelMove(_ move: UUID, reason: OperatorReason, at time: Date) throws(AccountError) {
        var event = AuditHead.Event(action: .providerMoveCancelled, reason: reason, at: time)
        if let arriving = arrival, arriving.move == move {
            event.provider = arriving.provider
            arrival = nil
        } else if let departing = departure, departing.move == move {
            event.provider = link(departing.link)?.provider
            event.link = departing.link
            departure = nil
        } else {
            return
        }
        try audit.append(event)
    }

    /// Requires that an identity may be moved to this account.
    /// - Throws: `accountNotUsable` if the account is being deleted or disabled; `tooManyLinks`.
    func requireArrivable() throws(AccountError) {
        guard state == .active, disabled == nil else { throw .accountNotUsable }
        // An interrupted attempt may have listed the link.
        guard arrival?.link != nil || links.count < Self.maximumLinks else { throw .tooManyLinks }
    }

    /// Only an account whose deletion is scheduled may lose its last identity.
    func departingLink(_ id: LinkID) throws(AccountError) -> AccountLink {
        guard let link = link(id), link.state == .active, !isInTransfer(id) else { throw .noSuchLink }
        guard state == .deleting || remainingLinks.contains(where: { $0.id != id }) else { throw .lastProvider }
        return link
    }
}
