import Foundation

/// A legal hold: while it lasts, a deletion of the account erases nothing.
package struct LegalHold: Codable, Sendable, Equatable {
    package let since: Date
    /// The operator's reason. The account's owner cannot read it.
    package let reason: String

    /// - Parameter time: when it was placed; stored in whole seconds.
    init(since time: Date, reason: String) {
        since = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        self.reason = reason
    }
}
