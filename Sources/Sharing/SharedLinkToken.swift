import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// The part of a shared link's address that opens it: the account and 16 secret bytes, 43 characters of base64url.
///
/// The account is part of the token so that one object, below the account's own prefix, is all that a link consists of:
/// it opens in one read, and ends with the account. The id of an account opens nothing by itself.
package struct SharedLinkToken: Hashable, Sendable, LosslessStringConvertible {
    /// The number of secret bytes.
    private static let secretLength = 16

    package let user: UserID
    package let id: SharedLinkID
    private let secret: Data

    /// Creates the token of a new link.
    init(_ user: UserID, randomness: Randomness) { self.init(user, Data(randomness.bytes(Self.secretLength))) }

    /// - Returns: `nil` for text in another form, also for another encoding of the same bytes.
    package init?(_ description: String) {
        guard let bytes = Base64URL.decode(description), bytes.count == 16 + Self.secretLength else { return nil }
        let uuid = bytes.prefix(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.init(UserID(uuid: UUID(uuid: uuid)), Data(bytes.suffix(Self.secretLength)))
        guard self.description == description else { return nil }
    }

    private init(_ user: UserID, _ secret: Data) {
        self.user = user
        self.secret = secret
        id = SharedLinkID(hash: SHA256.hash(data: secret))
    }

    package var description: String {
        Base64URL.encode(withUnsafeBytes(of: user.uuid.uuid) { Data($0) } + secret)
    }
}
