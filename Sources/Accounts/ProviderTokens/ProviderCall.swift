import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/provider-calls/{id}.json`: something that a provider is still to be asked for one link.
package struct ProviderCall: VersionedDocument {
    /// What it is to be asked.
    package enum Act: String, Codable, Sendable {
        /// To exchange the authorization code.
        case exchange
        /// To take back the tokens of a link that was ended.
        case revoke
    }

    package var version: Int
    package let id: UUID
    package let act: Act
    package let provider: ProviderName
    package let user: UserID
    package let link: LinkID
    /// The client that the code was given to.
    package let clientID: String?
    package let sealedCode: String?
    package let createdAt: Date
    /// Whose time has come may be made by any copy of the service, once it has moved this on.
    package var nextTryAt: Date
    package var tries: Int

    /// How long it is worth a try, in seconds: a code lives for five minutes, and a provider that does nothing for a week is
    /// given up.
    var lifetime: TimeInterval {
        switch act {
        case .exchange: 300
        case .revoke: 7 * 86_400
        }
    }

    /// Whether it is not worth another try.
    package func isOver(at time: Date) -> Bool { time >= createdAt.addingTimeInterval(lifetime) }

    /// The pause after so many tries: a minute, then twice as long each time, up to six hours.
    static func pause(after tries: Int) -> TimeInterval { min(60 * pow(2, Double(max(0, tries - 1))), 6 * 3600) }
}
