import PhotolalaAPI

/// The types of events sent to the operator's event receiver, as listed in `docs/events.md`.
package enum EventType: String, Sendable, CaseIterable {
    case accountCreated = "account.created"
    case accountDeletionRequested = "account.deletion_requested"
    case accountDeletionCancelled = "account.deletion_cancelled"
    case accountDeleted = "account.deleted"
    case accountDisabled = "account.disabled"
    case accountEnabled = "account.enabled"
    case accountExported = "account.exported"
    case providerLinked = "provider.linked"
    case providerUnlinkRequested = "provider.unlink_requested"
    case providerUnlinkUndone = "provider.unlink_undone"
    case providerMoveRequested = "provider.move_requested"
    case providerMoveCancelled = "provider.move_cancelled"
    case providerUnlinked = "provider.unlinked"
    case providerRevoked = "provider.revoked"
    case providerReactivated = "provider.reactivated"
    case deviceAdded = "device.added"
    case deviceRemoved = "device.removed"
    case sessionReuseDetected = "session.reuse_detected"
    case subscriptionChanged = "subscription.changed"
    case quotaNearLimit = "quota.near_limit"
    case quotaExceeded = "quota.exceeded"

    /// Returns the event type of an audit entry; `nil` for entries that are not sent.
    package init?(_ entry: AuditEntry) {
        switch entry.act {
        case .accountCreated: self = .accountCreated
        case .deletionRequested: self = .accountDeletionRequested
        case .deletionCancelled: self = .accountDeletionCancelled
        case .accountDeleted: self = .accountDeleted
        case .accountDisabled: self = .accountDisabled
        case .accountEnabled: self = .accountEnabled
        case .accountExported: self = .accountExported
        case .providerLinked: self = .providerLinked
        case .providerUnlinkRequested: self = .providerUnlinkRequested
        case .providerUnlinkUndone: self = .providerUnlinkUndone
        case .providerMoveRequested: self = .providerMoveRequested
        case .providerMoveCancelled: self = .providerMoveCancelled
        case .providerUnlinked: self = .providerUnlinked
        case .providerRevoked: self = .providerRevoked
        case .providerReactivated: self = .providerReactivated
        case .signedIn where entry.isNewDevice == true: self = .deviceAdded
        case .deviceRemoved, .deviceForgotten, .deviceDisplaced: self = .deviceRemoved
        case .refreshTokenReused: self = .sessionReuseDetected
        case .subscriptionChanged: self = .subscriptionChanged
        case .quotaNearLimit: self = .quotaNearLimit
        case .quotaExceeded: self = .quotaExceeded
        default: return nil
        }
    }
}
