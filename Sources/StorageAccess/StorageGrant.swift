import Foundation
import PhotolalaAPI

/// The scope of the credentials to issue: the user, the access level, the lifetime, and the session on which they
/// depend.
package struct StorageGrant: Sendable, Equatable {
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    /// The id of the shared link for whose visitors the credentials sign addresses. The access then depends on the link
    /// and not on the session, which is none.
    package let sharedLink: String?
    package let access: StorageAccessLevel
    /// Whether `readDelete` may write the catalog and the profile. The built-in S3 endpoint checks the store's totals
    /// at each write instead.
    package let mayRecord: Bool
    /// At most one hour ahead, for `upload` access a week, and never after `latestEnd`. Credentials may expire earlier.
    package let expiresAt: Date
    /// The end of the Photolala session. A token service whose minimum lifetime is longer than `expiresAt` permits
    /// may extend the credentials up to this time.
    package let latestEnd: Date

    /// - Parameter latestEnd: `expiresAt` by default.
    package init(
        user: UserID, device: DeviceID, session: SessionID, sharedLink: String? = nil, access: StorageAccessLevel,
        mayRecord: Bool = true, expiresAt: Date, latestEnd: Date? = nil
    ) {
        self.user = user
        self.device = device
        self.session = session
        self.sharedLink = sharedLink
        self.access = access
        self.mayRecord = mayRecord
        self.expiresAt = expiresAt
        self.latestEnd = max(latestEnd ?? expiresAt, expiresAt)
    }
}
