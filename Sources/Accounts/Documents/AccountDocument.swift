import Foundation
import ObjectStorage
import PhotolalaAPI

/// `account.json`: the account data that the user must not write.
package struct AccountDocument: VersionedDocument {
    /// The largest number of links per account.
    static let maximumLinks = 32

    package var version: Int
    package let serviceUserID: UserID
    package var state: AccountState
    package let createdAt: Date
    /// In linking order. A link that replaced another in a team transfer has the position of the replaced one.
    package var links: [AccountLink]
    package var primaryLinkID: LinkID
    /// Which sessions link no identities for a while.
    var linkingBlock: LinkingBlock?
    /// The tier in the last audit entry about it; the current tier depends on the time.
    package var tier: Tier
    /// What the account's App Store subscriptions grant; copied from the subscription records, which are authoritative.
    package var subscriptions: [AccountSubscription]?
    /// The free trial that came with the sign-up.
    package var trial: AccountTrial?
    /// Bytes stored at the last count.
    package var storedBytes: Int64?
    /// When the bytes were counted; recorded if the count changed, or if it was made for a credentials request.
    package var bytesCountedAt: Date?
    /// The quota level at the last recorded check.
    package var quotaLevel: QuotaLevel?
    /// Raised by signing out everywhere: sessions of an earlier epoch are invalid.
    package var sessionEpoch: Int
    /// Sessions that continue although their link was unlinked, because they requested the unlink.
    package var keptSessions: [RetainedSession]
    /// The name that came with the sign-up, sealed, because a provider may give it only once. It is shown until the
    /// user has a profile.
    package var sealedName: String?
    /// The deletion, in the states `deleting` and `deleted`.
    package var deletion: ScheduledDeletion?
    /// The legal hold, which an operator placed.
    package var legalHold: LegalHold?
    /// Set while the account is disabled. Not a state of its own: a disabled account keeps its bindings, so that its
    /// identities are not free, and can be deleted.
    package var disabled: DisabledAccount?
    /// The identity that an operator moves to this account.
    package var arrival: ArrivingIdentity?
    /// The identity that an operator moves from this account to another one.
    package internal(set) var departure: DepartingIdentity?
    /// The last requested export, until it is removed.
    package var export: PreparedExport?
    package var audit: AuditHead
    /// The sequence of the first audit entry whose event was not sent to the operator's event receiver; `nil` if all
    /// were sent.
    package internal(set) var unsentEvents: Int?
    /// The sequence of the first audit entry about which no security e-mail was sent yet; `nil` if all were sent.
    package internal(set) var unsentMail: Int?
    /// The addresses of unlinked identities, until the security e-mails about the unlinks are sent.
    var unlinkedAddresses: [UnlinkedAddress]?
    /// The BCP 47 tag of the language of security e-mails; `nil` for the default.
    package var language: String?
    /// The version of the stored profile picture; `nil` if there is none.
    package internal(set) var pictureVersion: String?

    /// Returns the access level of new storage credentials; `nil` if the account gets none.
    /// - Parameter limit: bytes that the account may store now.
    package func storageAccess(within limit: Int64) -> StorageAccessLevel? {
        guard disabled == nil else { return nil }
        return switch state {
        case .active: (storedBytes ?? 0) > limit ? .readDelete : .readWrite
        case .deleting: .read
        case .deleted, .abandoned: nil
        }
    }

    /// Whether events of the account are sent: also those of a tombstone, before its audit log is erased.
    package var sendsEvents: Bool { isUsable || state == .deleted }

    /// Whether the account has its bindings, and users can sign in to it unless it is disabled.
    package var isUsable: Bool { state == .active || state == .deleting }

    /// Returns whether a session that a link opened is valid at a time.
    package func isSessionValid(_ session: SessionID, of link: LinkID, startedAt: Date, at time: Date) -> Bool {
        guard disabled == nil else { return false }
        return links.contains {
            $0.state == .active && $0.permits(sessionOf: link, startedAt: startedAt) && !isUnlinked($0, at: time)
        } || keptSessions.contains { $0.session == session }
    }

    /// Returns the earliest start of a session that the link's provider has not ended. Dates are stored in whole
    /// seconds: a session that begins in the second of the end is dated a second later.
    package func earliestStart(ofSessionsOf link: LinkID) -> Date {
        guard let end = self.link(link)?.history?.sessionsEndedAt else { return .distantPast }
        return end.addingTimeInterval(1)
    }

    package var activeLinks: [AccountLink] { links.filter { $0.state == .active } }

    package func link(_ id: LinkID) -> AccountLink? { links.first { $0.id == id } }

    /// Returns the other links of the same user at the same provider: in a team transfer, those of the old and the new
    /// subject. They change state together.
    func counterparts(of link: AccountLink) -> [AccountLink] {
        links.filter { $0.state != .removing && ($0.isReplacing(link.id) || link.isReplacing($0.id)) }
    }

    /// Returns whether a link is one of two in a team transfer.
    package func isInTransfer(_ link: LinkID) -> Bool { self.link(link).map { !counterparts(of: $0).isEmpty } ?? false }

    /// Returns whether a removed link was replaced by another one.
    package func isReplaced(_ link: LinkID) -> Bool { links.contains { $0.id != link && $0.ownsSessions(link) } }

    /// Returns whether a binding of this account may sign users in.
    /// - Parameter key: the key of the binding; `nil` for a hint, whose key does not identify the link.
    package func lists(_ binding: IdentityBinding, at key: ObjectKey?) -> Bool {
        guard isUsable, let link = link(binding.link) else { return false }
        return key.map(link.bindingKeys.keys.contains) ?? true
    }

    package mutating func setState(_ state: LinkState, ofLink id: LinkID) {
        changeLink(id) { $0.state = state }
    }

    package mutating func changeLink(_ id: LinkID, _ mutate: (inout AccountLink) -> Void) {
        for index in links.indices where links[index].id == id { mutate(&links[index]) }
    }
}

/// A session that outlives the link that opened it.
package struct RetainedSession: Codable, Sendable, Equatable {
    package let session: SessionID
    /// When the session ends and this entry may be dropped.
    package let expiresAt: Date
}

/// The lifecycle state of an account.
package enum AccountState: String, Codable, Sendable {
    case active
    /// The owner requested deletion and may still undo it.
    case deleting
    /// A tombstone: the data is being purged.
    case deleted
    /// A sign-up that was never finished; removed after repair's grace period.
    case abandoned
}

/// A provider identity of an account.
package struct AccountLink: Codable, Sendable, Equatable {
    package let id: LinkID
    package let provider: ProviderName
    /// The last segment of the binding key.
    package var segment: String
    /// The last segment of the second binding key, while identity bindings are re-keyed.
    package var nextSegment: String?
    /// The subject, sealed, if a segment is a hash of it.
    package var sealedSubject: String?
    package var state: LinkState
    package let linkedAt: Date
    package let method: LinkMethod
    /// The device that linked it; `nil` if no session requested the link, or if it predates this member.
    package var device: DeviceID?
    /// The link of the session that requested the link; `nil` as for `device`.
    package var linkedBy: LinkID?
    /// Set while its unlink is delayed. Its state does not change until the delay ends.
    package var pendingUnlink: PendingUnlink?
    /// When a sign-in with it, or a session of it or of a newer link, last undid its unlink.
    package var unlinkUndoneAt: Date?
    /// The address in the ID token that linked it, sealed.
    package var sealedEmail: String?
    /// Whether the provider stated that it had verified the address; `nil` if it predates this member.
    package var isEmailVerified: Bool?
    /// The hash under which this link left an e-mail hint.
    package var emailHint: String?
    /// What the provider reported after linking; `nil` for most links.
    package var history: LinkHistory?
    /// Which link of the same user it replaces, after the app moved to another Apple developer team.
    package var transfer: LinkTransfer?

    /// The keys under which the identity is bound.
    package var bindingKeys: BindingKeys { BindingKeys(provider: provider, segment: segment, nextSegment: nextSegment) }

    /// Sessions that it opened up to this time are invalid.
    var sessionsEndedAt: Date { history?.sessionsEndedAt ?? .distantPast }

    /// Returns whether the provider has revoked the link or ended its sessions after an ID token was issued. Such a
    /// token may have been stolen together with the sessions.
    package func invalidatesToken(_ issuedAt: Date) -> Bool {
        // Dates are stored in whole seconds.
        issuedAt.timeIntervalSince1970.rounded(.down)
            < max(history?.revocation?.at ?? .distantPast, sessionsEndedAt).timeIntervalSince1970
    }

    /// When the provider last confirmed it; events from before are ignored.
    var verifiedAt: Date { history?.reactivatedAt ?? linkedAt }

    /// Returns whether sessions of a link belong to this one: its own, and those of links that it has replaced.
    package func ownsSessions(_ link: LinkID) -> Bool {
        id == link || transfer?.isSettled == true && transfer?.from.contains(link) == true
    }

    /// Returns whether a session that a link opened continues under this one.
    func permits(sessionOf link: LinkID, startedAt: Date) -> Bool {
        guard ownsSessions(link), startedAt > sessionsEndedAt else { return false }
        return id == link || startedAt > transfer?.sessionsEndedAt ?? .distantPast
    }

    /// Returns whether it is listed beside another link of the same user that it is to replace.
    package func isReplacing(_ link: LinkID) -> Bool {
        transfer?.isSettled == false && transfer?.from.contains(link) == true
    }

    /// Returns whether this link belongs to the identity with these binding keys.
    package func matches(_ identity: BindingKeys) -> Bool {
        bindingKeys.keys.contains { identity.keys.contains($0) }
    }
}
