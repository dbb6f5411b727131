import Foundation
import ObjectStorage

/// `service/signing-keys.json`: the signing keys for access tokens, shared by all instances.
struct SigningKeyDocument: VersionedDocument {
    var version: Int
    /// In creation order.
    var keys: [Entry]

    struct Entry: Codable, Sendable, Equatable {
        /// The JWT header's `kid`.
        let id: String
        /// The P-256 private key's 32 bytes, sealed.
        let sealedPrivateKey: String
        let createdAt: Date
        /// When the key starts to sign. It is published earlier, so that every reader of the key set knows it by then.
        let activeFrom: Date
    }
}
