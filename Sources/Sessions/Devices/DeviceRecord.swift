import Foundation
import ObjectStorage
import PhotolalaAPI

/// One device of an account and the session on it.
package struct DeviceRecord: VersionedDocument {
    package var version: Int
    package let id: DeviceID
    package var name: String
    package var model: String?
    package var platform: String
    package let createdAt: Date
    package var lastSeenAt: Date
    package var lastSyncAt: Date?
    /// `nil` once the device is signed out.
    package var session: SessionRecord?

    /// Whether nothing has happened on the device since a time, and no session is left that could go on.
    func isUnused(since time: Date) -> Bool {
        lastSeenAt < time && (session?.expiresAt ?? lastSeenAt) < time
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
    /// The counter of the one refresh token that is not used yet.
    package var counter: UInt32
    /// When that token was first given.
    package var rotatedAt: Date
    /// When the person last proved an identity of the account.
    package var authTime: Date
}
