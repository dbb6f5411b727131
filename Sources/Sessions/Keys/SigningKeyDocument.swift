import Foundation
import ObjectStorage

/// `service/signing-keys.json`: the keys of access tokens, shared by all copies of the service.
struct SigningKeyDocument: VersionedDocument {
    var version: Int
    /// In the order they were made.
    var keys: [Entry]

    struct Entry: Codable, Sendable, Equatable {
        /// The JWT header's `kid`.
        let id: String
        /// The P-256 private key's 32 bytes, sealed.
        let sealedPrivateKey: String
        let createdAt: Date
        /// Published at once, used from here on, when every reader of the key set has had time to see it.
        let activeFrom: Date
    }
}
