import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/provider-calls/{id}.json`: a queued call to a provider for one link.
package struct ProviderCall: VersionedDocument {
    /// The kind of call.
    package enum Operation: String, Codable, Sendable {
        /// Exchange the authorization code.
        case exchange
        /// Revoke the tokens of a link that was removed.
        case revoke
    }

    package var version: Int
    package let id: UUID
    package let act: Operation
    package let provider: ProviderName
    package let user: UserID
    package let link: LinkID
    /// The client to which the code was issued.
    package let clientID: String?
    package let sealedCode: String?
    package let createdAt: Date
    /// When the call is due. Any instance may make a due call once it has moved this time forward.
    package var nextTryAt: Date
    package var tries: Int

    /// How long the call is retried, in seconds: a code is valid for five minutes, and a revocation is abandoned after
    /// a week.
    var lifetime: TimeInterval {
        switch act {
        case .exchange: 300
        case .revoke: 7 * 86_400
        }
    }

    /// Returns whether the call should not be retried.
    package func isExpired(at time: Date) -> Bool { time >= createdAt.addingTimeInterval(lifetime) }

    /// Returns the pause after a number of tries, in seconds: one minute, doubled each time, up to six hours.
    static func retryDelay(after tries: Int) -> TimeInterval { min(60 * pow(2, Double(max(0, tries - 1))), 6 * 3600) }
}
