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
    fileprivate func wasLinked(after time: Date, elsewhereThan session: ActingSession) -> Bool {
        guard state != .removing, method != .created, transfer == nil, linkedAt > time else { return false }
        return device != session.device || id == session.link
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
    /// oldest remaining one.
    func includesOriginalLink(_ ending: [AccountLink]) -> Bool {
        let oldest = remainingLinks.first?.id
        return ending.contains { $0.method == .created || $0.id == oldest }
    }

    /// Whether unlinking takes effect after a delay, because it could lock the owner out: of the first identity, of any that
    /// was not linked after the asking session's own, and of any while an identity is new that was linked elsewhere.
    /// - Parameters:
    ///   - ending: the link, with those of the same user.
    ///   - delay: seconds; 0 for none.
    func requiresUnlinkDelay(
        of ending: [AccountLink], by session: ActingSession, _ delay: TimeInterval, at time: Date
    ) -> Bool {
        // A link that was never completed cannot sign in.
        guard delay > 0, ending.contains(where: { $0.state != .pending }) else { return false }
        return includesOriginalLink(ending) || ending.contains { !isOlder(session.link, than: $0) }
            || links.contains { $0.wasLinked(after: time.addingTimeInterval(-delay), elsewhereThan: session) }
    }

    /// Returns whether a link, or the one that replaced it, was linked before another one. `links` is in that order.
    func isOlder(_ link: LinkID, than other: AccountLink) -> Bool {
        guard let place = links.firstIndex(where: { $0.ownsSessions(link) }),
            let otherPlace = links.firstIndex(where: { $0.id == other.id })
        else { return false }
        return place < otherPlace
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
        guard let place = links.firstIndex(where: { $0.ownsSessions(id) }) else { return nil }
        let link = links[place]
        // Older links with a pending unlink count: the new identity may have requested it.
        let hasOlder = links[..<place].contains { $0.state == .active }
        guard link.method != .created, hasOlder else { return nil }
        if link.pendingUnlink != nil { return .unlinking }
        return link.isNew(delay, at: time) ? .recentlyLinked : nil
    }

    /// Returns whether a session's own identity has a pending unlink.
    func isUnlinking(_ session: ActingSession) -> Bool {
        links.contains { $0.ownsSessions(session.link) && $0.pendingUnlink != nil }
    }
}
