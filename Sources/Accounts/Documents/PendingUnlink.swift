import Foundation
import PhotolalaAPI

/// An unlinking that was requested and takes effect after a delay. Until then the identity signs in and keeps its sessions.
package struct PendingUnlink: Codable, Sendable, Equatable {
    package let requestedAt: Date
    /// From then on the identity opens nothing, even before a reader has carried the unlinking out.
    package let effectiveAt: Date
    /// Whether only a session of an older identity can undo it.
    package let isFinal: Bool
}

/// Why an identity may not do what could keep the owner out who signs in with an older one.
package enum LinkRestriction: Sendable, Equatable {
    /// It was linked less than the delay ago.
    case new
    /// Its unlinking is pending.
    case unlinking
}

extension AccountLink {
    /// Whether the delay of its unlinking has ended.
    func isUnlinkDue(at time: Date) -> Bool {
        guard state == .active || state == .revoked, let pendingUnlink else { return false }
        return pendingUnlink.effectiveAt <= time
    }

    /// Whether it was linked less than a delay ago. An identity that replaces another one in a team transfer is not new.
    func isNew(_ delay: TimeInterval, at time: Date) -> Bool {
        method != .created && transfer == nil && linkedAt > time.addingTimeInterval(-delay)
    }

    /// Whether it was linked after a time by another device than a session's, by one that was not recorded, or opened that
    /// very session: clients choose their device ids. An identity that replaces another one in a team transfer is not new.
    fileprivate func wasLinked(after time: Date, elsewhereThan session: ActingSession) -> Bool {
        guard state != .removing, method != .created, transfer == nil, linkedAt > time else { return false }
        return device != session.device || id == session.link
    }
}

extension AccountDocument {
    /// Whether a link's unlinking has taken effect. The last identity stays: one that is pending does not count for it.
    func isUnlinked(_ link: AccountLink, at time: Date) -> Bool {
        link.isUnlinkDue(at: time) && !stayingLinks.isEmpty
    }

    /// The active links that are not being unlinked: those that count for "the last provider stays".
    var stayingLinks: [AccountLink] { activeLinks.filter { $0.pendingUnlink == nil } }

    /// Whether links are the owner's surest way in: the identity that created the account, or the oldest one that stays.
    func includesFirst(_ ending: [AccountLink]) -> Bool {
        let oldest = stayingLinks.first?.id
        return ending.contains { $0.method == .created || $0.id == oldest }
    }

    /// Whether unlinking takes effect after a delay, because it could lock the owner out: of the first identity, of any that
    /// was not linked after the asking session's own, and of any while an identity is new that was linked elsewhere.
    /// - Parameters:
    ///   - ending: the link, with those of the same person.
    ///   - delay: seconds; 0 for none.
    func delaysUnlinking(
        of ending: [AccountLink], by session: ActingSession, _ delay: TimeInterval, at time: Date
    ) -> Bool {
        // A linking that never ended opens nothing.
        guard delay > 0, ending.contains(where: { $0.state != .pending }) else { return false }
        return includesFirst(ending) || ending.contains { !isOlder(session.link, than: $0) }
            || links.contains { $0.wasLinked(after: time.addingTimeInterval(-delay), elsewhereThan: session) }
    }

    /// Whether a link, or the one that replaced it, was linked before another one. `links` is in that order.
    func isOlder(_ link: LinkID, than other: AccountLink) -> Bool {
        guard let place = links.firstIndex(where: { $0.hasOpened(link) }),
            let otherPlace = links.firstIndex(where: { $0.id == other.id })
        else { return false }
        return place < otherPlace
    }

    /// Why an identity may not end sessions of older ones, nor lend them recent authentication; `nil` where it may. The first
    /// identity always may, and one without an older one.
    /// - Parameter delay: how long an identity is new, in seconds.
    func restriction(on id: LinkID, _ delay: TimeInterval, at time: Date) -> LinkRestriction? {
        guard let place = links.firstIndex(where: { $0.hasOpened(id) }) else { return nil }
        let link = links[place]
        // Older ones whose unlinking is pending count: the new one may have requested it.
        let hasOlder = links[..<place].contains { $0.state == .active }
        guard link.method != .created, hasOlder else { return nil }
        if link.pendingUnlink != nil { return .unlinking }
        return link.isNew(delay, at: time) ? .new : nil
    }

    /// Whether a session's own identity is being unlinked.
    func isUnlinking(_ session: ActingSession) -> Bool {
        links.contains { $0.hasOpened(session.link) && $0.pendingUnlink != nil }
    }
}
