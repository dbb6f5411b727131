import Foundation
import ObjectStorage
import PhotolalaAPI

/// `accounts/{uuid}/provider-tokens/{link}.json`: a provider's refresh tokens for a user, stored to revoke them later.
package struct ProviderTokensDocument: VersionedDocument {
    /// One client's refresh token.
    package struct Token: Codable, Sendable, Equatable {
        /// The client to which it was issued. Only that client may use it.
        package let clientID: String
        package let sealed: String
    }

    package var version: Int
    package let link: LinkID
    package let provider: ProviderName
    /// At most one per client.
    package var tokens: [Token]
    /// When the provider last confirmed them.
    package var checkedAt: Date
}
