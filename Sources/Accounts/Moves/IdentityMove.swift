import Foundation
import PhotolalaAPI

/// A move of an identity to this account that an operator requested. One per account.
package struct ArrivingIdentity: Codable, Sendable, Equatable {
    /// The id of the move; the account that the identity leaves records the same one.
    package let move: UUID
    package let provider: ProviderName
    /// The `MoveSource`, sealed: this account must not reveal another one.
    package var sealedSource: String
    /// From this time on the move can be completed.
    package let effectiveAt: Date
    /// The operator who requested it.
    package let requestedBy: MovingOperator
    /// The link of this account whose identity the person proved together with the moving one, so that one operator may
    /// complete the move; `nil` if another operator must.
    package let proof: LinkID?
    /// The reason of the operator who completes it; `nil` until then.
    package internal(set) var completion: String?
    /// Whether all sessions of this account were ended after the completion began: it may only be resumed if the identity
    /// has left the other account.
    var isStopped = false
    /// The link that it gets, once it is listed.
    var link: LinkID?

    /// When the move can no longer be completed.
    package var expiresAt: Date { effectiveAt.addingTimeInterval(AccountDirectory.moveLifetime) }
}

/// The operator who requested a move.
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
    /// Whether the move unlinked the identity. Only this permits an interrupted completion to be resumed: that the link is
    /// gone proves nothing.
    package internal(set) var hasLeft = false
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

    package init(user: UserID, link: LinkID, subject: String) {
        (self.user, self.link, self.subject) = (user, link, subject)
    }

    /// The identity as the new link records it. It is dated like no ID token, so that it reactivates no revoked link.
    func identity(_ provider: ProviderName) -> VerifiedIdentity {
        let email = address.map {
            VerifiedEmail(address: $0, isVerified: hasHint, isPrivate: false, isTrusted: hasHint)
        }
        return VerifiedIdentity(provider: provider, subject: subject, email: email, issuedAt: .distantPast)
    }
}

extension AccountDocument {
    /// Records that an identity is to leave, and the operator's reason. A later request replaces an earlier one.
    /// - Throws: `noSuchLink` if the identity is not linked, or in a team transfer; `lastProvider`.
    mutating func announceDeparture(
        _ departing: DepartingIdentity, reason: OperatorReason, at time: Date
    ) throws(AccountError) {
        guard disabled == nil else { throw .accountNotUsable }
        // Only its record lets a move whose identity has left be finished.
        if let earlier = departure, earlier.hasLeft,
            time < earlier.effectiveAt.addingTimeInterval(AccountDirectory.moveLifetime)
        {
            throw .identityHasLeft
        }
        let link = try departingLink(departing.link)
        departure = departing
        try audit.append(
            .init(
                action: .providerMoveRequested, reason: reason, provider: link.provider, link: link.id,
                effectiveAt: departing.effectiveAt, at: time))
    }

    /// Lists the identity as being removed, which ends its sessions, unless this was done before.
    /// - Throws: `noIdentityMove` if the move was stopped; `noSuchLink`, `lastProvider`.
    mutating func depart(_ move: UUID, reason: OperatorReason, at time: Date) throws(AccountError) {
        guard let departing = departure, departing.move == move else { throw .noIdentityMove }
        guard !departing.hasLeft else { return }
        guard disabled == nil else { throw .accountNotUsable }
        let link = try departingLink(departing.link)
        departure?.hasLeft = true
        try remove(
            link,
            .init(action: .providerUnlinked, reason: reason, provider: link.provider, link: link.id, at: time), at: time
        )
        if primaryLinkID == link.id, let oldest = remainingLinks.first { primaryLinkID = oldest.id }
    }

    /// Cancels the move of an identity to or from this account, if it is still requested.
    /// - Parameter reason: the operator's; `nil` if the service ends the move.
    /// - Throws: `identityHasLeft` in the account that the identity has left.
    mutating func cancelMove(_ move: UUID, reason: OperatorReason?, at time: Date) throws(AccountError) {
        var event =
            reason.map { AuditHead.Event(action: .providerMoveCancelled, reason: $0, at: time) }
            ?? AuditHead.Event(action: .providerMoveCancelled, actor: .service, at: time)
        if let arriving = arrival, arriving.move == move {
            event.provider = arriving.provider
            arrival = nil
        } else if let departing = departure, departing.move == move {
            guard !departing.hasLeft else { throw .identityHasLeft }
            event.provider = link(departing.link)?.provider
            event.link = departing.link
            departure = nil
        } else {
            return
        }
        try audit.append(event)
    }

    /// Whether the moving identity is linked, so that only its move is to be forgotten.
    var hasArrived: Bool { arrival?.link.flatMap { link($0) }?.state == .active }

    /// Requires that an identity may be moved to this account.
    /// - Parameter hasLeft: whether it has left the other account; then a disabled account may get it.
    /// - Throws: `accountNotUsable` if the account is being deleted or disabled; `tooManyLinks`.
    func requireArrivable(hasLeft: Bool = false) throws(AccountError) {
        guard state == .active, hasLeft || disabled == nil else { throw .accountNotUsable }
        // An interrupted attempt may have listed the link.
        guard arrival?.link != nil || links.count < Self.maximumLinks else { throw .tooManyLinks }
    }

    /// Returns the link of an identity that may leave. Only an account whose deletion is scheduled may lose its last one.
    func departingLink(_ id: LinkID) throws(AccountError) -> AccountLink {
        guard let link = link(id), link.state == .active, !isInTransfer(id) else { throw .noSuchLink }
        guard state == .deleting || remainingLinks.contains(where: { $0.id != id }) else { throw .lastProvider }
        return link
    }
}
