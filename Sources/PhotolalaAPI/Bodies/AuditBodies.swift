import Foundation

/// The action that an audit event records. The set may grow; a client displays an unknown name unchanged.
public struct AuditAction: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in dot-separated snake case.
    public let rawValue: String
    /// Creates an action from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in dot-separated snake case.
    public var description: String { rawValue }

    private init(_ name: String) { rawValue = name }

    /// The account was created and its device signed in.
    public static let accountCreated = AuditAction("account.created")
    /// A provider identity was linked.
    public static let providerLinked = AuditAction("provider.linked")
    /// The unlinking of a provider identity was requested. It takes effect after a delay.
    public static let providerUnlinkRequested = AuditAction("provider.unlink_requested")
    /// The pending unlinking of a provider identity was cancelled.
    public static let providerUnlinkUndone = AuditAction("provider.unlink_undone")
    /// An operator requested to move a provider identity between this account and another one. It takes effect after a
    /// delay, unless all sessions of the account are ended before.
    public static let providerMoveRequested = AuditAction("provider.move_requested")
    /// The requested move of a provider identity was cancelled by an operator.
    public static let providerMoveCancelled = AuditAction("provider.move_cancelled")
    /// A provider identity was unlinked. The sessions that it opened have ended.
    public static let providerUnlinked = AuditAction("provider.unlinked")
    /// The provider revoked an identity. The sessions that it opened have ended.
    public static let providerRevoked = AuditAction("provider.revoked")
    /// The provider required a new authentication of an identity. The sessions that it opened have ended.
    public static let providerSessionsEnded = AuditAction("provider.sessions_ended")
    /// The deletion of the account was scheduled: by its owner or an operator, or by the provider of its only identity.
    public static let deletionRequested = AuditAction("account.deletion_requested")
    /// The scheduled deletion of the account was cancelled.
    public static let deletionCancelled = AuditAction("account.deletion_cancelled")
    /// The period for cancelling is over, and the data of the account is being deleted.
    public static let accountDeleted = AuditAction("account.deleted")
    /// A legal hold was placed on the account: a deletion erases nothing until it is released.
    public static let holdPlaced = AuditAction("account.hold_placed")
    /// The legal hold on the account was released.
    public static let holdReleased = AuditAction("account.hold_released")
    /// An operator disabled the account: its sessions have ended, and its owner cannot sign in.
    public static let accountDisabled = AuditAction("account.disabled")
    /// An operator enabled the account: its owner can sign in again.
    public static let accountEnabled = AuditAction("account.enabled")
    /// An export of everything stored about the account was requested.
    public static let accountExported = AuditAction("account.exported")
    /// A link that its provider had revoked was restored by a new ID token or by a provider notification.
    public static let providerReactivated = AuditAction("provider.reactivated")
    /// An identity's subject changed because the app moved to another team at the provider.
    public static let providerTransferred = AuditAction("provider.transferred")
    /// A user signed in on a device. A session that was open there has ended.
    public static let signedIn = AuditAction("session.signed_in")
    /// A user reauthenticated.
    public static let reauthenticated = AuditAction("session.reauthenticated")
    /// A device signed out.
    public static let signedOut = AuditAction("session.signed_out")
    /// All sessions of the account were ended.
    public static let signedOutEverywhere = AuditAction("session.signed_out_everywhere")
    /// A used refresh token was presented again, possibly by an attacker. The session has ended.
    public static let refreshTokenReused = AuditAction("session.refresh_token_reused")
    /// A device was signed out remotely and removed.
    public static let deviceRemoved = AuditAction("device.removed")
    /// A device that had been signed out for a long time was removed.
    public static let deviceForgotten = AuditAction("device.forgotten")
    /// A device was signed out and removed because a new one signed in and the account had reached its device limit.
    public static let deviceDisplaced = AuditAction("device.displaced")
    /// The entitlement from an App Store subscription changed, or the account's tier changed with time.
    public static let subscriptionChanged = AuditAction("subscription.changed")
    /// The account uses 80 % of its quota.
    public static let quotaNearLimit = AuditAction("quota.near_limit")
    /// The account exceeds its quota and cannot store anything more until it has quota headroom.
    public static let quotaExceeded = AuditAction("quota.exceeded")
    /// A shared link was created.
    public static let sharedLinkCreated = AuditAction("shared_link.created")
    /// The options of a shared link were changed.
    public static let sharedLinkChanged = AuditAction("shared_link.changed")
    /// A shared link was deleted: its address opens nothing any more.
    public static let sharedLinkDeleted = AuditAction("shared_link.deleted")
    /// An operator disabled a shared link.
    public static let sharedLinkDisabled = AuditAction("shared_link.disabled")
    /// An operator enabled a shared link.
    public static let sharedLinkEnabled = AuditAction("shared_link.enabled")
    /// The entries before this one could not be verified as the service's own when it was written.
    public static let logUnverified = AuditAction("audit.unproven")
}

/// The actor of an audit event. The set may grow.
public struct AuditActor: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, in lower case.
    public let rawValue: String
    /// Creates an actor from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The signed-in user, or a user who had just authenticated with an identity of the account.
    public static let user = AuditActor(rawValue: "user")
    /// A provider of one of the account's identities.
    public static let provider = AuditActor(rawValue: "provider")
    /// The service itself.
    public static let service = AuditActor(rawValue: "service")
    /// An operator of the service.
    public static let support = AuditActor(rawValue: "support")
}

/// An audit event in the history of an account. The service writes no e-mail address, token or provider's subject into it.
public struct AuditRecord: Codable, Sendable, Equatable {
    /// The position in the account's audit log, from 1; omitted while the event is pending in the device's record.
    public let sequence: Int?
    /// When the action happened. Events from several devices may enter the audit log in a different order.
    public let at: Date
    /// The recorded action.
    public let act: AuditAction
    /// The actor.
    public let actor: AuditActor
    /// The provider whose identity was used, linked or unlinked.
    public let provider: ProviderName?
    /// The link of that identity.
    public let linkID: LinkID?
    /// The device that performed the action.
    public let deviceID: DeviceID?
    /// The name of that device as set by its user, while the account has a record of the device.
    public let deviceName: String?
    /// The device that the action affected.
    public let targetDeviceID: DeviceID?
    /// The name of that device as set by its user, while the account has a record of the device.
    public let targetDeviceName: String?
    /// The account's tier after the event, for events that concern the tier.
    public let tier: Tier?
    /// The operator's reason, for actions of the actor `support`. Text that a person wrote.
    public let reason: String?
    /// The country from which a device signed in. Omitted by servers that do not determine it.
    public let country: CountryCode?

    /// Creates an audit event.
    public init(
        sequence: Int?, at: Date, act: AuditAction, actor: AuditActor, provider: ProviderName? = nil,
        linkID: LinkID? = nil, deviceID: DeviceID? = nil, deviceName: String? = nil, targetDeviceID: DeviceID? = nil,
        targetDeviceName: String? = nil, tier: Tier? = nil, reason: String? = nil, country: CountryCode? = nil
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
        self.reason = reason
        self.country = country
    }
}

/// A page of an account's history, newest first.
public struct AuditPage: Codable, Sendable, Equatable {
    /// The audit events. On the first page, events without a sequence come first.
    public let entries: [AuditRecord]
    /// The `before` value that requests the next page; omitted on the last page.
    public let next: Int?

    /// Creates a page.
    public init(entries: [AuditRecord], next: Int?) {
        self.entries = entries
        self.next = next
    }
}
