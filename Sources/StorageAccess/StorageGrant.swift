import Foundation
import PhotolalaAPI

/// What a device is to be given: whose prefixes, how far, how long, and the session that answers for it.
package struct StorageGrant: Sendable, Equatable {
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    package let access: StorageAccessLevel
    /// Whether `readDelete` writes the catalog and the profile. The S3 endpoint of one machine checks the store's totals at
    /// each write instead.
    package let mayRecord: Bool
    /// At most one hour ahead and never behind `latestEnd`.
    package let expiresAt: Date
    /// The end of the session at ours. A token service that makes no session as short as `expiresAt` asks may go so far.
    package let latestEnd: Date

    /// - Parameter latestEnd: `expiresAt` by default.
    package init(
        user: UserID, device: DeviceID, session: SessionID, access: StorageAccessLevel, mayRecord: Bool = true,
        expiresAt: Date, latestEnd: Date? = nil
    ) {
        self.user = user
        self.device = device
        self.session = session
        self.access = access
        self.mayRecord = mayRecord
        self.expiresAt = expiresAt
        self.latestEnd = max(latestEnd ?? expiresAt, expiresAt)
    }
}
