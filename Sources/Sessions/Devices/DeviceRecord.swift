import Foundation
import JWS
import ObjectStorage
import PhotolalaAPI

/// One device of an account and the session on it.
package struct DeviceRecord: VersionedDocument {
    package var version: Int
    package let id: DeviceID
    /// Tells this record from an earlier one of the same device.
    package let incarnation: UUID
    package var name: String
    package var model: String?
    package var platform: String
    package private(set) var createdAt: Date
    package var lastSeenAt: Date
    package var lastSyncAt: Date?
    /// `nil` once the device is signed out.
    package var session: SessionRecord?
    /// Set when the device was removed or forgotten: the record only waits until its acts are in the account's chain.
    package var removedAt: Date?
    /// How many acts were ever noted in this record.
    package private(set) var notedActs = 0
    /// The last of them, without those that are in the account's audit chain.
    package private(set) var acts: [NotedAct] = []
    /// The last one's.
    private var lastActID: UUID?

    /// A record of a device that is seen for the first time, or again after it was removed.
    init(_ description: DeviceDescription, incarnation: UUID, at time: Date) {
        version = 1
        id = description.id
        self.incarnation = incarnation
        name = description.name
        model = description.model
        platform = description.platform
        createdAt = time
        lastSeenAt = time
    }

    /// As it is after somebody has signed in there; one that was removed begins anew.
    func seen(as description: DeviceDescription, at time: Date) -> DeviceRecord {
        var record = self
        record.name = description.name
        record.model = description.model
        record.platform = description.platform
        record.lastSeenAt = time
        if removedAt != nil {
            record.removedAt = nil
            record.createdAt = time
            record.lastSyncAt = nil
        }
        return record
    }

    /// Ends the session and marks the record as one that only waits for the chain.
    mutating func remove(_ act: AuditAct, at time: Date, id: UUID, by other: DeviceID? = nil) {
        session = nil
        removedAt = time
        note(act, at: time, id: id, by: other)
    }

    /// Keeps an act for the account's audit chain.
    /// - Parameter id: the call's own: a try that follows on a lost answer notes nothing a second time.
    mutating func note(
        _ act: AuditAct, at time: Date, id: UUID, provider: ProviderName? = nil, link: LinkID? = nil,
        by other: DeviceID? = nil, isNewDevice: Bool? = nil
    ) {
        guard !hasNoted(id) else { return }
        notedActs += 1
        lastActID = id
        acts.append(
            NotedAct(
                sequence: notedActs, id: id, at: time, act: act, provider: provider, link: link, by: other,
                isNewDevice: isNewDevice
            )
        )
    }

    /// Whether an act was noted: by a write whose answer was that of its repetition on the way.
    func hasNoted(_ id: UUID) -> Bool { lastActID == id || acts.contains { $0.id == id } }

    /// Lets go of the acts that are in the account's audit chain.
    mutating func trim(_ chained: ChainedActs?) {
        guard let chained, chained.incarnation == incarnation else { return }
        acts.removeAll { $0.sequence <= chained.through }
    }

    /// Lets go of the acts that are in the account's audit chain; there must be room for another one then.
    /// - Throws: `tooManyActs`.
    mutating func makeRoom(_ chained: ChainedActs?) throws(SessionError) {
        trim(chained)
        guard acts.count < NotedAct.limit else { throw .tooManyActs }
    }

    /// Whether the record waits for the audit chain: it holds acts, or its device was removed.
    package var isUnsettled: Bool { !acts.isEmpty || removedAt != nil }

    /// Whether nothing has happened on the device since a time, and no session is left that could go on.
    package func isUnused(since time: Date) -> Bool {
        removedAt == nil && lastSeenAt < time && (session?.expiresAt ?? lastSeenAt) < time
    }
}

/// A session: everything that follows from one sign-in.
package struct SessionRecord: Codable, Sendable, Equatable {
    package let id: SessionID
    /// The link that opened it. A session is over when its link is, unless the account keeps it.
    package let link: LinkID
    /// The account's session epoch when it was opened.
    package let epoch: Int
    package let startedAt: Date
    /// 30 days after the start; never moved.
    package let expiresAt: Date
    /// The `client_id` of the app that it was opened for; `nil` for a session that was opened by a provider's token. Only
    /// that app refreshes it, for as long as the app is registered (OAuth 2.1 section 4.3).
    package let client: String?
    /// The key that its tokens are bound to, for as long as it lasts; `nil` where whoever has them may use them.
    package let key: KeyThumbprint?
    /// The counter of the one refresh token that is not used yet; that of a bound session stays at 0.
    package var counter: UInt32
    /// When that token was first given.
    package var rotatedAt: Date
    /// When the person last proved an identity of the account; `neverAuthenticated` until they do.
    package var authTime: Date

    /// The `authTime` of a session that was approved elsewhere and in which no identity was proven yet.
    package static let neverAuthenticated = Date(timeIntervalSince1970: 0)
}
