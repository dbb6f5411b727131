import Foundation
import PhotolalaAPI

/// An unlink that was requested and takes effect after a delay. Until then the identity can sign in and keeps its
/// sessions.
package struct PendingUnlink: Codable, Sendable, Equatable {
    package let requestedAt: Date
    /// From this time on the identity cannot sign in, even if the unlink has not been carried out yet.
    package let effectiveAt: Date
    /// Whether only a session of an older identity can undo it.
    package let isFinal: Bool
    /// The link of the session that requested it, that of the oldest identity if several did; `nil` if it predates this
    /// member.
    package let requestedBy: LinkID?
}

/// A time in which sessions of younger identities link none, because an older one unlinked an identity.
struct LinkingBlock: Codable, Sendable, Equatable {
    /// The link of the session that unlinked, that of the oldest identity if several did.
    let by: LinkID
    let until: Date
}

/// What a request to unlink an identity does.
package enum UnlinkOutcome: Sendable, Equatable {
    case immediate
    case delayed(until: Date)
    /// The identity is being removed already, and the request does not change when or whether it can be undone.
    case unchanged
}

/// Why an identity may not perform actions that could lock out an owner who signs in with an older one.
package enum LinkRestriction: Sendable, Equatable {
    /// It was linked less than the delay ago.
    case recentlyLinked
    /// Its unlink is pending.
    case unlinking
}

extension AccountLink {
    /// Returns whether the delay of its unlink has ended.
    package func isUnlinkDue(at time: Date) -> Bool {
        guard state == .active || state == .revoked, let pendingUnlink else { return false }
        return pendingUnlink.effectiveAt <= time
    }

    /// Returns whether it was linked less than a delay ago. An identity that replaces another one in a team transfer is
    /// not new.
    func isNew(_ delay: TimeInterval, at time: Date) -> Bool {
        method != .created && transfer == nil && linkedAt > time.addingTimeInterval(-delay)
    }

    /// Returns whether it was linked after a time, and either by a device other than the session's, by an unrecorded
    /// device, or as the identity of that very session: clients choose their device ids. An identity that replaces
    /// another one in a team transfer is not new.
    fileprivate func wasLinked(after time: Date, outside session: ActingSession) -> Bool {
        guard state != .removing, method != .created, transfer == nil, linkedAt > time else { return false }
        return device != session.device || id == session.link || id == session.authority
    }
}

extension AccountDocument {
    /// Returns whether a link's unlink has taken effect. The last identity stays; identities with a pending unlink do
    /// not count as remaining.
    func isUnlinked(_ link: AccountLink, at time: Date) -> Bool {
        link.isUnlinkDue(at: time) && !remainingLinks.isEmpty
    }

    /// The active links without a pending unlink. Only they count for the rule that the last provider stays.
    var remainingLinks: [AccountLink] { activeLinks.filter { $0.pendingUnlink == nil } }

    /// Returns whether links include the owner's most reliable identity: the one that created the account, or the
    /// oldest one that is not suspended.
    func includesOriginalLink(_ ending: [AccountLink]) -> Bool {
        let oldest = activeLinks.first { !isSuspended($0) }?.id
        return ending.contains { $0.method == .created || $0.id == oldest }
    }

    /// Returns whether the pending unlink of a link was requested with its own identity or an older one. A request of a
    /// younger identity, which may be an attacker's, restricts no one.
    func isSuspended(_ link: AccountLink) -> Bool {
        link.pendingUnlink != nil && !isUnlinkRequestedByYounger(link)
    }

    /// Returns whether a younger identity requested a link's unlink. A requester that is no longer listed was older:
    /// requests to unlink older identities end with the requester's link.
    func isUnlinkRequestedByYounger(_ link: AccountLink) -> Bool {
        guard let pending = link.pendingUnlink, !pending.isFinal, let requester = pending.requestedBy else {
            return false
        }
        return position(of: requester) < links.count && isOlder(link.id, than: requester)
    }

    /// Whether unlinking takes effect after a delay, because it could lock the owner out: of the first identity, of any that
    /// was not linked after the asking session's own, and of any while an identity is new that was linked elsewhere, unless
    /// a session of the ending or a younger identity linked it: otherwise an identity could delay its own unlink.
    /// - Parameters:
    ///   - ending: the link, with those of the same user.
    ///   - delay: seconds; 0 for none.
    func requiresUnlinkDelay(
        of ending: [AccountLink], by session: ActingSession, _ delay: TimeInterval, at time: Date
    ) -> Bool {
        // A link that was never completed cannot sign in.
        guard delay > 0, ending.contains(where: { $0.state != .pending }) else { return false }
        guard !includesOriginalLink(ending), ending.allSatisfy({ isOlder(session.authority, than: $0) }) else {
            return true
        }
        return links.contains { link in
            link.wasLinked(after: time.addingTimeInterval(-delay), outside: session)
                && !(link.linkedBy.map { linker in ending.allSatisfy { !isOlder(linker, than: $0) } } ?? false)
        }
    }

    /// Returns whether a link, or the one that replaced it, was linked before another one. `links` is in that order.
    func isOlder(_ link: LinkID, than other: AccountLink) -> Bool {
        guard let index = links.firstIndex(where: { $0.ownsSessions(link) }),
            let otherIndex = links.firstIndex(where: { $0.id == other.id })
        else { return false }
        return index < otherIndex
    }

    /// Returns whether the identity of a session's link was linked before that of another session's link. One that is no
    /// longer listed is the youngest.
    package func isOlder(_ link: LinkID, than other: LinkID) -> Bool { position(of: link) < position(of: other) }

    /// Returns the position of a session's identity in linking order, from 0; the number of links if it is not listed.
    package func position(of link: LinkID) -> Int {
        links.firstIndex { $0.ownsSessions(link) } ?? links.count
    }

    /// Returns whether the links of two sessions belong to one identity. Both links of a team transfer do.
    package func isSameIdentity(_ link: LinkID, _ other: LinkID) -> Bool {
        guard let first = links.first(where: { $0.ownsSessions(link) }),
            let second = links.first(where: { $0.ownsSessions(other) })
        else { return link == other }
        return first.id == second.id || first.isReplacing(second.id) || second.isReplacing(first.id)
    }

    /// Returns why an identity may not end sessions of older identities or provide recent authentication for them;
    /// `nil` if it may. The identity that created the account, and one without an older identity, always may.
    /// - Parameter delay: how long an identity is new, in seconds.
    func restriction(on id: LinkID, _ delay: TimeInterval, at time: Date) -> LinkRestriction? {
        guard let index = links.firstIndex(where: { $0.ownsSessions(id) }) else { return nil }
        let link = links[index]
        // Older links with a pending unlink count: the new identity may have requested it.
        let hasOlder = links[..<index].contains { $0.state == .active }
        guard link.method != .created, hasOlder else { return nil }
        if isSuspended(link) { return .unlinking }
        return link.isNew(delay, at: time) ? .recentlyLinked : nil
    }

    /// Returns whether a session's own identity is suspended, or the one that authenticated in it.
    func isSuspended(_ session: ActingSession) -> Bool {
        links.contains { isIdentity($0, of: session) && isSuspended($0) }
    }

    private func isIdentity(_ link: AccountLink, of session: ActingSession) -> Bool {
        link.ownsSessions(session.link) || link.ownsSessions(session.authority)
    }

    /// Returns whether an older identity requested to unlink a session's own, or the one that authenticated in it.
    func isUnlinkedByOlder(_ session: ActingSession) -> Bool {
        links.contains { link in
            isIdentity(link, of: session) && isSuspended(link)
                && link.pendingUnlink?.requestedBy.map { !isSameIdentity($0, link.id) } ?? true
        }
    }
}
