import Foundation
import ObjectStorage
import PhotolalaAPI

/// `accounts/{uuid}/provider-tokens/{link}.json`: what a provider gave us for a person, to be given back one day.
package struct ProviderTokensDocument: VersionedDocument {
    /// One client's refresh token.
    package struct Token: Codable, Sendable, Equatable {
        /// The client that it was given to. Only that one may use it.
        package let clientID: String
        package let sealed: String
    }

    package var version: Int
    package let link: LinkID
    package let provider: ProviderName
    /// At most one for each client.
    package var tokens: [Token]
    /// When the provider last said that they count.
    package var checkedAt: Date
}
