import Foundation
import PhotolalaAPI

/// How unlinks change the account.
extension AccountDocument {
    /// Unlinks an identity at once, or lists its unlink as pending if it could lock the owner out. The request of an older
    /// identity is decided anew although another one is pending, unless that is final: otherwise an attacker's identity
    /// could request its own unlink first and undo it later.
    /// - Parameter delay: seconds; 0 for none.
    /// - Throws: `noSuchLink`, `lastProvider`, `unlinkPending` in a session whose own identity an older one is unlinking.
    mutating func unlink(
        _ id: LinkID, by session: ActingSession, _ delay: TimeInterval, at time: Date
    ) throws(AccountError) -> UnlinkOutcome {
        guard let link = link(id) else { throw .noSuchLink }
        guard link.state != .removing else { return .unchanged }
        let isOlder = isOlder(session.authority, than: link)
        guard link.pendingUnlink.map({ isOlder && !$0.isFinal }) ?? true else { return .unchanged }
        guard !isUnlinkedByOlder(session) || isSameIdentity(session.link, id) else { throw .unlinkPending }
        let ending = [link] + counterparts(of: link)
        if isOlder {
            try withdrawRequests(of: ending, on: session.device, at: time)
            blockLinking(by: session.authority, until: time.addingTimeInterval(delay), at: time)
        }
        let remaining = remainingLinks.filter { candidate in !ending.contains { $0.id == candidate.id } }
        guard let oldest = remaining.first else { throw .lastProvider }
        if requiresUnlinkDelay(of: ending, by: session, delay, at: time) {
            return try requestUnlink(ending, by: session, delay, at: time)
        }
        if ending.contains(where: { $0.ownsSessions(session.link) }) { retain(session, at: time) }
        if ending.contains(where: { $0.id == primaryLinkID }) { primaryLinkID = oldest.id }
        for link in ending {
            setState(.removing, ofLink: link.id)
            try audit.append(
                .init(
                    action: .providerUnlinked, provider: link.provider, link: link.id, device: session.device, at: time)
            )
        }
        return .immediate
    }

    /// Lists an unlink as pending. If an older identity requests it, the unlink of a new identity, or of one that has
    /// undone its unlink before, is final; otherwise an attacker's identity could undo it. The unlink of the identity
    /// that created the account, or of the oldest remaining one, is never final. An earlier request keeps its date.
    private mutating func requestUnlink(
        _ ending: [AccountLink], by session: ActingSession, _ delay: TimeInterval, at time: Date
    ) throws(AccountError) -> UnlinkOutcome {
        guard let named = ending.first else { return .unchanged }
        let earlier = named.pendingUnlink
        let requester =
            earlier?.requestedBy.flatMap { isOlder($0, than: session.authority) ? $0 : nil } ?? session.authority
        let pending = PendingUnlink(
            requestedAt: earlier?.requestedAt ?? time,
            effectiveAt: earlier?.effectiveAt ?? time.addingTimeInterval(delay),
            isFinal: (named.unlinkUndoneAt != nil || named.isNew(delay, at: time))
                && !includesOriginalLink(ending) && isOlder(session.authority, than: named),
            requestedBy: requester)
        guard pending != earlier else { return .unchanged }
        for link in ending {
            changeLink(link.id) { $0.pendingUnlink = pending }
            try audit.append(
                .init(
                    action: .providerUnlinkRequested, provider: link.provider, link: link.id, device: session.device,
                    effectiveAt: pending.effectiveAt, at: time))
        }
        return .delayed(until: pending.effectiveAt)
    }

    /// Blocks linking in sessions of younger identities, because an attacker's second identity could otherwise link again
    /// what the owner unlinks.
    private mutating func blockLinking(by link: LinkID, until end: Date, at time: Date) {
        guard let block = linkingBlock, block.until > time else {
            if end > time { linkingBlock = LinkingBlock(by: link, until: end) }
            return
        }
        linkingBlock = LinkingBlock(by: isOlder(link, than: block.by) ? link : block.by, until: max(block.until, end))
    }

    /// Returns whether an older identity than a session's own unlinked one within the delay.
    func isLinkingBlocked(in session: ActingSession, at time: Date) -> Bool {
        guard let block = linkingBlock, block.until > time else { return false }
        return isOlder(block.by, than: session.authority)
    }

    /// Drops the requests to unlink older identities that were made with identities that are being removed.
    /// - Parameter device: the device that removes them; `nil` if the service does.
    private mutating func withdrawRequests(
        of ending: [AccountLink], on device: DeviceID?, at time: Date
    ) throws(AccountError) {
        for link in links where isUnlinkRequestedByYounger(link) {
            guard let requester = link.pendingUnlink?.requestedBy,
                ending.contains(where: { $0.ownsSessions(requester) })
            else { continue }
            changeLink(link.id) { $0.pendingUnlink = nil }
            try audit.append(
                .init(
                    action: .providerUnlinkUndone, actor: device == nil ? .service : .user, provider: link.provider,
                    link: link.id, device: device, at: time))
        }
    }

    mutating func undoUnlink(
        of link: AccountLink, byOlder isOlder: Bool, on device: DeviceID, at time: Date
    ) throws(AccountError) {
        for link in [link] + counterparts(of: link) where link.pendingUnlink != nil {
            changeLink(link.id) {
                $0.pendingUnlink = nil
                if !isOlder { $0.unlinkUndoneAt = time }
            }
            try audit.append(
                .init(action: .providerUnlinkUndone, provider: link.provider, link: link.id, device: device, at: time))
        }
    }

    /// Ends a link whose unlink is due. If no other identity would remain, the link stays and its unlink is dropped.
    mutating func endPendingUnlink(of link: AccountLink, at time: Date) throws(AccountError) {
        let remaining = isUnlinked(link, at: time) ? remainingLinks.first : nil
        if let remaining {
            if primaryLinkID == link.id { primaryLinkID = remaining.id }
            return try remove(link, at: time)
        }
        changeLink(link.id) { $0.pendingUnlink = nil }
        try audit.append(
            .init(
                action: .providerUnlinkUndone, actor: .service, provider: link.provider, link: link.id, at: time))
    }

    /// Lists a link as being removed, which its binding must follow, and drops its requests.
    /// - Parameter event: the audit entry; by default the service removes it.
    mutating func remove(
        _ link: AccountLink, _ event: AuditHead.Event? = nil, at time: Date
    ) throws(AccountError) {
        setState(.removing, ofLink: link.id)
        try withdrawRequests(of: [link], on: nil, at: time)
        try audit.append(
            event
                ?? .init(
                    action: .providerUnlinked, actor: .service, provider: link.provider, link: link.id, at: time))
    }
}
