import Foundation

/// What was done to an account. The set may grow; a client shows a name it does not know as it is.
public struct AuditAct: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in dots and snake case.
    public let rawValue: String
    /// Names an act.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in dots and snake case.
    public var description: String { rawValue }

    private init(_ name: String) { rawValue = name }

    /// The account was created, and its device signed in.
    public static let accountCreated = AuditAct("account.created")
    /// A provider identity was linked.
    public static let providerLinked = AuditAct("provider.linked")
    /// The unlinking of a provider identity was requested; it takes effect after a delay.
    public static let providerUnlinkRequested = AuditAct("provider.unlink_requested")
    /// The pending unlinking of a provider identity was undone.
    public static let providerUnlinkUndone = AuditAct("provider.unlink_undone")
    /// A provider identity was unlinked; the sessions that it opened are over.
    public static let providerUnlinked = AuditAct("provider.unlinked")
    /// The provider withdrew an identity; the sessions that it opened are over.
    public static let providerRevoked = AuditAct("provider.revoked")
    /// The provider asked that whoever is signed in by an identity proves it again; the sessions that it opened are over.
    public static let providerSessionsEnded = AuditAct("provider.sessions_ended")
    /// Somebody deleted the account at the provider, and so asked for the deletion of this one.
    public static let deletionRequested = AuditAct("account.deletion_requested")
    /// A link that its provider had withdrawn came back, by a fresh proof or by the provider's word.
    public static let providerReactivated = AuditAct("provider.reactivated")
    /// An identity goes on under the id that it got when the app moved to another team of the provider's.
    public static let providerTransferred = AuditAct("provider.transferred")
    /// Somebody signed in on a device; a session that was open there is over.
    public static let signedIn = AuditAct("session.signed_in")
    /// Somebody proved again who is there.
    public static let reauthenticated = AuditAct("session.reauthenticated")
    /// A device signed out.
    public static let signedOut = AuditAct("session.signed_out")
    /// All sessions of the account were ended.
    public static let signedOutEverywhere = AuditAct("session.signed_out_everywhere")
    /// A refresh token that had been used came again, perhaps from a thief: the session was ended.
    public static let refreshTokenReused = AuditAct("session.refresh_token_reused")
    /// A device was signed out from afar and removed.
    public static let deviceRemoved = AuditAct("device.removed")
    /// A device on which nobody was signed in for long was forgotten.
    public static let deviceForgotten = AuditAct("device.forgotten")
    /// A device was signed out and removed because a new one signed in and the account had as many as it may.
    public static let deviceDisplaced = AuditAct("device.displaced")
    /// What an App Store subscription gives the account changed, or its tier did as time went by.
    public static let subscriptionChanged = AuditAct("subscription.changed")
    /// Four fifths of what the account may store are used.
    public static let quotaNearLimit = AuditAct("quota.near_limit")
    /// The account stores more than it may: it can store nothing more until it has room.
    public static let quotaExceeded = AuditAct("quota.exceeded")
    /// The entries before this one could not be proven to be the service's own when it was written.
    public static let chainUnproven = AuditAct("audit.unproven")
}

/// Who did it. The set may grow.
public struct AuditActor: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, in lower case.
    public let rawValue: String
    /// Names an actor.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whoever was signed in, or had just proved an identity of the account.
    public static let user = AuditActor(rawValue: "user")
    /// A provider of one of the account's identities.
    public static let provider = AuditActor(rawValue: "provider")
    /// The service itself.
    public static let service = AuditActor(rawValue: "service")
}

/// One act in the history of an account. It never holds an e-mail address, a token or a provider's subject.
public struct AuditRecord: Codable, Sendable, Equatable {
    /// The act's place in the account's chain, from 1; left out while only the device's record has it.
    public let sequence: Int?
    /// When it was done. Acts on several devices may come into the chain in another order.
    public let at: Date
    /// What was done.
    public let act: AuditAct
    /// Who did it.
    public let actor: AuditActor
    /// The provider whose identity was used, linked or unlinked.
    public let provider: ProviderName?
    /// The link of that identity.
    public let linkID: LinkID?
    /// The device on which it was done.
    public let deviceID: DeviceID?
    /// What its user calls that device, while the account has a record of it.
    public let deviceName: String?
    /// The device to which it was done.
    public let targetDeviceID: DeviceID?
    /// What its user calls that device, while the account has a record of it.
    public let targetDeviceName: String?
    /// The tier that the account has had since, where the act is about it.
    public let tier: Tier?

    /// Shows an act.
    public init(
        sequence: Int?, at: Date, act: AuditAct, actor: AuditActor, provider: ProviderName? = nil,
        linkID: LinkID? = nil, deviceID: DeviceID? = nil, deviceName: String? = nil, targetDeviceID: DeviceID? = nil,
        targetDeviceName: String? = nil, tier: Tier? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.act = act
        self.actor = actor
        self.provider = provider
        self.linkID = linkID
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.targetDeviceID = targetDeviceID
        self.targetDeviceName = targetDeviceName
        self.tier = tier
    }
}

/// A page of an account's history, the newest first.
public struct AuditPage: Codable, Sendable, Equatable {
    /// The acts; on the first page those that have no sequence yet come first.
    public let entries: [AuditRecord]
    /// What the next page is asked for with, as `before`; left out on the last one.
    public let next: Int?

    /// Shows a page.
    public init(entries: [AuditRecord], next: Int?) {
        self.entries = entries
        self.next = next
    }
}
