import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// An account as an operator sees it. It contains no subject and no e-mail address.
package struct AccountReport: Encodable, Sendable {
    package struct Link: Encodable, Sendable {
        package let provider: ProviderName
        package let id: LinkID
        package let linkedAt: Date
        package let state: LinkState
    }

    package struct Device: Encodable, Sendable {
        package let id: DeviceID
        package let name: String
        package let lastSeenAt: Date
        package let isSignedIn: Bool
    }

    package struct Deletion: Encodable, Sendable {
        package let requestedAt: Date
        package let erasesAt: Date
        package let actor: AuditActor
    }

    package struct Export: Encodable, Sendable {
        package let createdAt: Date
        package let expiresAt: Date
        package let size: Int64
        package let device: DeviceID
    }

    /// A requested move of an identity from this account.
    package struct Departure: Encodable, Sendable {
        package let move: String
        package let link: LinkID
        package let effectiveAt: Date
    }

    package let account: UserID
    package let state: String
    /// The account in request lines of the log: its hash by key id.
    package let logNames: [String: String]
    package let createdAt: Date
    package let tier: Tier
    package let storedBytes: Int64?
    package let bytesCountedAt: Date?
    /// In linking order.
    package let links: [Link]
    /// The most recently seen first.
    package let devices: [Device]
    package let deletion: Deletion?
    package let legalHold: LegalHold?
    package let disabled: DisabledAccount?
    package let arrival: RequestedMove?
    package let departure: Departure?
    package let export: Export?
    /// `{environment}/{originalTransactionId}` of each App Store subscription.
    package let subscriptions: [String]
    /// The audit entries whose events were not delivered yet.
    package let pendingEvents: Int
    /// The last audit entries, newest first.
    package let audit: [AuditLine]

    /// - Parameters:
    ///   - tier: the current tier.
    ///   - arrival: the move of an identity to the account.
    ///   - entries: the audit entries to show, newest first.
    package init(
        _ document: AccountDocument, logNames: [String: String], tier: Tier, devices: [DeviceRecord],
        arrival: RequestedMove?, entries: [AuditEntry], at time: Date
    ) {
        account = document.serviceUserID
        self.logNames = logNames
        state = document.state.rawValue
        createdAt = document.createdAt
        self.tier = tier
        storedBytes = document.storedBytes
        bytesCountedAt = document.bytesCountedAt
        links = document.links.map { Link(provider: $0.provider, id: $0.id, linkedAt: $0.linkedAt, state: $0.state) }
        self.devices = devices.filter { $0.removedAt == nil }.map { record in
            Device(
                id: record.id, name: record.name, lastSeenAt: record.lastSeenAt,
                isSignedIn: record.session.map { document.isValid($0, at: time) } ?? false)
        }.sorted { ($1.lastSeenAt, "\($0.id)") < ($0.lastSeenAt, "\($1.id)") }
        deletion = document.deletion.map {
            Deletion(requestedAt: $0.requestedAt, erasesAt: $0.erasesAt, actor: $0.actor)
        }
        legalHold = document.legalHold
        disabled = document.disabled
        self.arrival = arrival
        departure = document.departure.flatMap { departing in
            guard departing.hasLeft || time < departing.effectiveAt.addingTimeInterval(AccountDirectory.moveLifetime)
            else { return nil }
            return Departure(
                move: departing.move.uuidString.lowercased(), link: departing.link, effectiveAt: departing.effectiveAt)
        }
        export = document.export.flatMap { export in
            guard export.expiresAt > time else { return nil }
            return Export(
                createdAt: export.createdAt, expiresAt: export.expiresAt, size: export.size, device: export.device)
        }
        subscriptions = (document.subscriptions ?? []).map(\.id)
        pendingEvents = document.unsentEvents.map { document.audit.sequence - $0 + 1 } ?? 0
        audit = entries.map { AuditLine($0) }
    }
}

extension AccountDocument {
    /// Returns whether a session may call the service.
    fileprivate func isValid(_ session: SessionRecord, at time: Date) -> Bool {
        session.epoch == sessionEpoch && session.expiresAt > time
            && isSessionValid(session.id, of: session.link, startedAt: session.startedAt, at: time)
    }
}
