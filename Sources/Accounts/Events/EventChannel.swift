import ObjectStorage
import PhotolalaAPI

/// A destination of the accounts' events. Each has an outbox and a marker of its own in the account documents, so that
/// one that is down delays no other.
package enum EventChannel: Sendable, CaseIterable {
    /// The operator's event receiver, which gets all events.
    case webhook
    /// Security e-mails to the owner.
    case mail

    /// The prefix of its deliveries in the store.
    package var deliveries: String {
        switch self {
        case .webhook: StorageLayout.eventDeliveries
        case .mail: StorageLayout.mailDeliveries
        }
    }

    /// The key of an account's delivery.
    func delivery(_ user: UserID) -> ObjectKey {
        switch self {
        case .webhook: ObjectKey(known: StorageLayout.eventDelivery(user))
        case .mail: ObjectKey(known: StorageLayout.mailDelivery(user))
        }
    }

    /// Returns whether it gets events of a type.
    package func includes(_ type: EventType) -> Bool {
        switch self {
        case .webhook: true
        case .mail: type.concernsSecurity
        }
    }

    func includes(_ entry: AuditEntry) -> Bool { EventType(entry).map(includes) ?? false }
}

extension EventType {
    /// Whether the owner should hear of it at once: another person may have caused it.
    fileprivate var concernsSecurity: Bool {
        switch self {
        case .deviceAdded, .sessionReuseDetected, .providerLinked, .providerUnlinkRequested, .providerUnlinkUndone,
            .providerUnlinked, .providerReactivated, .providerMoveRequested, .accountDeletionRequested,
            .accountDeletionCancelled, .accountExported:
            true
        case .accountCreated, .accountDeleted, .accountDisabled, .accountEnabled,
            .providerMoveCancelled, .providerRevoked, .deviceRemoved, .subscriptionChanged,
            .quotaNearLimit, .quotaExceeded:
            false
        }
    }
}

extension AccountDocument {
    /// Returns the sequence of the first audit entry whose event was not sent to a channel; `nil` if all were sent.
    package func firstUnsent(_ channel: EventChannel) -> Int? {
        switch channel {
        case .webhook: unsentEvents
        case .mail: unsentMail
        }
    }

    /// Sets the marker of a channel to the first of the appended entries that it gets.
    mutating func markUnsent(_ channel: EventChannel) {
        guard firstUnsent(channel) == nil else { return }
        setFirstUnsent(audit.entries.first(where: channel.includes)?.sequence, channel)
    }

    /// Moves the marker of a channel past the events up to a sequence.
    package mutating func skipEvents(through sequence: Int, of channel: EventChannel) {
        guard let from = firstUnsent(channel), from <= sequence else { return }
        setFirstUnsent(sequence < audit.sequence ? sequence + 1 : nil, channel)
        // The addresses serve e-mails about unlinks that have been sent now.
        if channel == .mail, unsentMail == nil { unlinkedAddresses = nil }
    }

    private mutating func setFirstUnsent(_ sequence: Int?, _ channel: EventChannel) {
        switch channel {
        case .webhook: unsentEvents = sequence
        case .mail: unsentMail = sequence
        }
    }
}
