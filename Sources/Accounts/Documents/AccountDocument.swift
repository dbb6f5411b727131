import Foundation
import ObjectStorage
import PhotolalaAPI

/// `account.json`: what the user must not write.
package struct AccountDocument: VersionedDocument {
    /// How many links an account holds.
    static let maximumLinks = 32

    package var version: Int
    package let serviceUserID: UserID
    package var state: AccountState
    package let createdAt: Date
    /// In the order they were linked; one that replaced another in a team transfer has that one's place.
    package var links: [AccountLink]
    package var primaryLinkID: LinkID
    /// The tier that the history told of last; which one holds now is a matter of time.
    package var tier: Tier
    /// What the App Store's subscriptions of this account give; their records are the truth.
    package var subscriptions: [AccountSubscription]?
    /// The free trial that came with the sign-up.
    package var trial: AccountTrial?
    /// Bytes at the last count.
    package var storedBytes: Int64?
    /// When they were counted, if it came to something else than before or was asked for credentials.
    package var bytesCountedAt: Date?
    /// What the history told of last.
    package var quotaLevel: QuotaLevel?
    /// Raised by a sign-out everywhere: sessions of an earlier epoch are over.
    package var sessionEpoch: Int
    /// Sessions that go on although their link was unlinked, because they asked for it.
    package var keptSessions: [KeptSession]
    /// The name that came with the sign-up, sealed: a provider may give it once only. It is shown until there is a profile.
    package var sealedName: String?
    /// The first wish that the account be deleted.
    package var deletionRequest: DeletionRequest?
    package var audit: AuditHead
    /// The first entry of the chain from which on nothing was sent to the operator's own service; `nil` when all was.
    package internal(set) var unsentEvents: Int?

    /// What new storage credentials of this account reach; `nil` when it gets none.
    /// - Parameter limit: bytes that it may store now.
    package func storageAccess(within limit: Int64) -> StorageAccessLevel? {
        switch state {
        case .active: (storedBytes ?? 0) > limit ? .readDelete : .readWrite
        case .deleting: .read
        case .deleted, .abandoned: nil
        }
    }

    /// Whether people can be signed in to it.
    package var isUsable: Bool { state == .active || state == .deleting }

    /// Whether a session that a link opened may go on at a time.
    package func keeps(_ session: SessionID, of link: LinkID, startedAt: Date, at time: Date) -> Bool {
        links.contains {
            $0.state == .active && $0.keeps(sessionOf: link, startedAt: startedAt) && !isUnlinked($0, at: time)
        } || keptSessions.contains { $0.session == session }
    }

    /// The earliest start of a session that is not among those that a link's provider has ended. Dates are stored in
    /// whole seconds: a session that begins in the second of the end is dated a second later.
    package func earliestStart(ofSessionsOf link: LinkID) -> Date {
        guard let end = self.link(link)?.history?.sessionsEndedAt else { return .distantPast }
        return end.addingTimeInterval(1)
    }

    var activeLinks: [AccountLink] { links.filter { $0.state == .active } }

    func link(_ id: LinkID) -> AccountLink? { links.first { $0.id == id } }

    /// The links of the same person at the same provider: in a team transfer the old subject's and the new one's. What
    /// happens to one happens to all.
    func counterparts(of link: AccountLink) -> [AccountLink] {
        links.filter { $0.state != .removing && ($0.isReplacing(link.id) || link.isReplacing($0.id)) }
    }

    /// Whether a link is one of two in a team transfer.
    package func isMoving(_ link: LinkID) -> Bool { self.link(link).map { !counterparts(of: $0).isEmpty } ?? false }

    /// Whether a link that is gone goes on as another one.
    package func hasReplaced(_ link: LinkID) -> Bool { links.contains { $0.id != link && $0.hasOpened(link) } }

    /// Whether people may be signed in by a claim of this account.
    /// - Parameter key: where the claim stands; `nil` for a hint, whose place tells nothing of the link.
    func lists(_ claim: Claim, at key: ObjectKey?) -> Bool {
        guard isUsable, let link = link(claim.link) else { return false }
        return key.map(link.names.keys.contains) ?? true
    }

    mutating func setState(_ state: LinkState, ofLink id: LinkID) {
        changeLink(id) { $0.state = state }
    }

    mutating func changeLink(_ id: LinkID, _ mutate: (inout AccountLink) -> Void) {
        for index in links.indices where links[index].id == id { mutate(&links[index]) }
    }
}

/// A session that outlives the link that opened it.
package struct KeptSession: Codable, Sendable, Equatable {
    package let session: SessionID
    /// The end of the session, from which on it need not be kept.
    package let expiresAt: Date
}

/// Where an account stands.
package enum AccountState: String, Codable, Sendable {
    case active
    /// Its owner asked for deletion and may still undo it.
    case deleting
    /// A tombstone: the data is being purged.
    case deleted
    /// A sign-up that never finished; removed after repair's grace period.
    case abandoned
}

/// One provider identity of an account.
package struct AccountLink: Codable, Sendable, Equatable {
    package let id: LinkID
    package let provider: ProviderName
    /// The last segment of the claim's key.
    package var segment: String
    /// The last segment of the second claim's key, while claims move to another spelling.
    package var nextSegment: String?
    /// The subject, sealed, where a segment is a hash of it.
    package var sealedSubject: String?
    package var state: LinkState
    package let linkedAt: Date
    package let method: LinkMethod
    /// The device that linked it; `nil` for a link from before this was recorded, or that no session asked for.
    package var device: DeviceID?
    /// Set while its unlinking waits for its delay to end. Its state stays as it is until then.
    package var pendingUnlink: PendingUnlink?
    /// When a sign-in with it, or a session of it or of a newer link, last undid its unlinking.
    package var unlinkUndoneAt: Date?
    /// The address from the token that linked it, sealed.
    package var sealedEmail: String?
    /// The hash under which this link left an e-mail hint.
    package var emailHint: String?
    /// What the provider told since; none for most.
    package var history: LinkHistory?
    /// Which link of the same person it replaces, when the app moved to another team of the provider's.
    package var transfer: LinkTransfer?

    /// The names under which the identity is claimed.
    var names: IdentityNames { IdentityNames(provider: provider, segment: segment, nextSegment: nextSegment) }

    /// Sessions that it opened until then are over.
    var sessionsEndedAt: Date { history?.sessionsEndedAt ?? .distantPast }

    /// Whether the provider has ended since what a token of then proves: it was stolen, perhaps, with the sessions.
    func isOver(_ issuedAt: Date) -> Bool {
        // Dates are stored in whole seconds.
        issuedAt.timeIntervalSince1970.rounded(.down)
            < max(history?.revocation?.at ?? .distantPast, sessionsEndedAt).timeIntervalSince1970
    }

    /// Since when it stands by the word of its provider; what was told of the time before is over.
    var provenAt: Date { history?.reactivatedAt ?? linkedAt }

    /// Whether a link's sessions are this one's: its own, or those of the links that it has replaced.
    package func hasOpened(_ link: LinkID) -> Bool {
        id == link || transfer?.isSettled == true && transfer?.from.contains(link) == true
    }

    /// Whether a session that a link opened goes on with this one.
    func keeps(sessionOf link: LinkID, startedAt: Date) -> Bool {
        guard hasOpened(link), startedAt > sessionsEndedAt else { return false }
        return id == link || startedAt > transfer?.sessionsEndedAt ?? .distantPast
    }

    /// Whether it stands beside another link of the same person that it is to replace.
    func isReplacing(_ link: LinkID) -> Bool {
        transfer?.isSettled == false && transfer?.from.contains(link) == true
    }

    /// Whether this is a link of the identity with these names.
    func isOf(_ identity: IdentityNames) -> Bool {
        names.keys.contains { identity.keys.contains($0) }
    }
}
