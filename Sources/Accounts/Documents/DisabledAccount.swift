import Foundation

/// Since when an operator has disabled an account, and why. While it is disabled, sign-ins are refused and no session is
/// valid; its identities stay linked.
package struct DisabledAccount: Codable, Sendable, Equatable {
    package let since: Date
    /// The operator's reason. The account's owner reads it in the audit log once the account is enabled.
    package let reason: String

    /// - Parameter time: when it was disabled; stored in whole seconds.
    init(since time: Date, reason: String) {
        since = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        self.reason = reason
    }
}
