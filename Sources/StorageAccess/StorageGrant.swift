import Foundation
import PhotolalaAPI

/// What a device is to be given: whose prefixes, how far, how long, and the session that answers for it.
package struct StorageGrant: Sendable, Equatable {
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    package let access: StorageAccessLevel
    /// At most one hour ahead and never behind the end of the session.
    package let expiresAt: Date

    package init(user: UserID, device: DeviceID, session: SessionID, access: StorageAccessLevel, expiresAt: Date) {
        self.user = user
        self.device = device
        self.session = session
        self.access = access
        self.expiresAt = expiresAt
    }
}
