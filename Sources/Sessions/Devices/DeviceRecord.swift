import Foundation
import JSONCoding
import JWS
import ObjectStorage
import PhotolalaAPI

/// A device of an account and its session.
package struct DeviceRecord: VersionedDocument {
    package var version: Int
    package let id: DeviceID
    /// Distinguishes this record from an earlier one of the same device.
    package let incarnation: UUID
    package var name: String
    package var model: String?
    package var platform: String
    package private(set) var createdAt: Date
    package var lastSeenAt: Date
    package var lastSyncAt: Date?
    /// The country of the last sign-in; `nil` if it is not known.
    package private(set) var country: CountryCode?
    /// `nil` once the device is signed out.
    package var session: SessionRecord?
    /// Set when the device was removed or forgotten: the record only waits until its pending audit events are flushed.
    package var removedAt: Date?
    /// The number of audit events ever recorded here.
    package private(set) var notedActs = 0
    /// The pending audit events: those recorded here that are not known to be in the account's audit log.
    package private(set) var acts: [PendingAuditEvent] = []
    /// The id of the last recorded event.
    private(set) var lastActID: UUID?

    /// Creates the record of a new device.
    init(_ description: DeviceDescription, incarnation: UUID, country: CountryCode? = nil, at time: Date) {
        version = 1
        id = description.id
        self.incarnation = incarnation
        name = description.name
        model = description.model
        platform = description.platform
        self.country = country
        createdAt = time
        lastSeenAt = time
    }

    /// Returns the record after a sign-in on the device; the record of a removed device starts over.
    func signedIn(as description: DeviceDescription, from country: CountryCode?, at time: Date) -> DeviceRecord {
        var record = self
        record.name = description.name
        record.model = description.model
        record.platform = description.platform
        record.country = country
        record.lastSeenAt = time
        if removedAt != nil {
            record.removedAt = nil
            record.createdAt = time
            record.lastSyncAt = nil
        }
        return record
    }

    /// Ends the session and marks the device as removed, until its pending audit events are flushed.
    mutating func remove(_ action: AuditAction, at time: Date, id: UUID, by other: DeviceID? = nil) {
        session = nil
        removedAt = time
        appendEvent(action, at: time, id: id, by: other)
    }

    /// Records a pending audit event.
    /// - Parameter id: identifies the call, so that a retry after a lost response records nothing twice.
    mutating func appendEvent(
        _ action: AuditAction, at time: Date, id: UUID, provider: ProviderName? = nil, link: LinkID? = nil,
        by other: DeviceID? = nil, isNewDevice: Bool? = nil, country: CountryCode? = nil
    ) {
        guard !hasEvent(id) else { return }
        notedActs += 1
        lastActID = id
        acts.append(
            PendingAuditEvent(
                sequence: notedActs, id: id, at: time, act: action, provider: provider, link: link, by: other,
                isNewDevice: isNewDevice, country: country
            )
        )
    }

    /// Returns whether the event of a call was already recorded, by an attempt whose response was lost.
    func hasEvent(_ id: UUID) -> Bool { lastActID == id || acts.contains { $0.id == id } }

    /// Removes the pending audit events that are in the account's audit log.
    mutating func removeLoggedEvents(_ logged: LoggedAuditEvents?) {
        guard let logged, logged.incarnation == incarnation else { return }
        acts.removeAll { $0.sequence <= logged.through }
    }

    /// Removes the pending audit events that are in the account's audit log, and requires capacity for another one.
    /// - Throws: `tooManyPendingEvents`.
    mutating func requireCapacity(_ logged: LoggedAuditEvents?) throws(SessionError) {
        removeLoggedEvents(logged)
        guard acts.count < PendingAuditEvent.limit else { throw .tooManyPendingEvents }
    }

    /// The record as it is read after it was written: its dates are whole seconds.
    var asStored: DeviceRecord {
        var record = self
        record.createdAt = createdAt.inWholeSeconds
        record.lastSeenAt = lastSeenAt.inWholeSeconds
        record.lastSyncAt = lastSyncAt?.inWholeSeconds
        record.removedAt = removedAt?.inWholeSeconds
        record.session = session?.asStored
        record.acts = acts.map(\.asStored)
        return record
    }

    /// The size of the encoded record in bytes, roughly.
    var approximateSize: Int { 560 + 180 * acts.count }

    /// Whether the record has pending audit events, or its device was removed.
    package var awaitsAuditLog: Bool { !acts.isEmpty || removedAt != nil }

    /// Returns whether the device was not used since a time and has no session that is valid after it.
    package func isUnused(since time: Date) -> Bool {
        removedAt == nil && lastSeenAt < time && (session?.expiresAt ?? lastSeenAt) < time
    }
}

/// A session, from one sign-in to its end.
package struct SessionRecord: Codable, Sendable, Equatable {
    package let id: SessionID
    /// The link that opened it. The session ends with its link, unless the account keeps it.
    package let link: LinkID
    /// The account's session epoch when it was opened.
    package let epoch: Int
    package private(set) var startedAt: Date
    /// 30 days after the start; never extended, unless `slides`.
    package var expiresAt: Date
    /// Whether use extends the session, while the server allows that; `nil`: no.
    package var slides: Bool?
    /// The `client_id` of the app that opened it; `nil` for a session opened with a provider's ID token. Only that app
    /// can refresh it, while the app is registered (OAuth 2.1 section 4.3).
    package let client: String?
    /// The key to which its tokens are bound for its lifetime; `nil` for bearer tokens.
    package let key: KeyThumbprint?
    /// The counter of the only unused refresh token; always 0 for a bound session.
    package var counter: UInt32
    /// When that refresh token was first issued.
    package var rotatedAt: Date
    /// When the user last authenticated with an identity of the account; `neverAuthenticated` until then.
    package var authTime: Date
    /// When the session's own identity, or one linked earlier, last authenticated in it; `nil` if none did, and in
    /// records from before this member.
    package var identityProvedAt: Date?
    /// The link of the identity that authenticated last, if that was linked after the session's own.
    package var authenticatedLink: LinkID?

    /// The `authTime` of a session that was approved elsewhere and has not been authenticated with an identity.
    package static let neverAuthenticated = Date(timeIntervalSince1970: 0)

    /// The session as it is stored.
    var asStored: SessionRecord {
        var session = self
        session.startedAt = startedAt.inWholeSeconds
        session.expiresAt = expiresAt.inWholeSeconds
        session.rotatedAt = rotatedAt.inWholeSeconds
        session.authTime = authTime.inWholeSeconds
        session.identityProvedAt = identityProvedAt?.inWholeSeconds
        return session
    }
}
