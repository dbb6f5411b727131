import Foundation
import PhotolalaAPI
import Secrets

/// The credentials that the built-in S3 endpoint issues and verifies. The whole session is sealed in its token, so
/// issuing one writes nothing and any process with the master key can verify it.
package struct SealedStorageSession: Sendable, Codable, Equatable {
    package let accessKeyID: String
    package let secretAccessKey: String
    package let user: UserID
    package let device: DeviceID
    package let session: SessionID
    /// The id of the shared link on which the access depends instead of the session; `nil` for a device's credentials.
    package let sharedLink: String?
    package let access: StorageAccessLevel
    package let expiresAt: Date

    /// Creates a session for a grant: a 20-character access key id and a 40-character secret.
    package init(_ grant: StorageGrant, randomness: Randomness) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        accessKeyID = "PLSA" + String(randomness.bytes(16).map { alphabet[Int($0 & 31)] })
        secretAccessKey = Base64URL.encode(randomness.bytes(30))
        user = grant.user
        device = grant.device
        session = grant.session
        sharedLink = grant.sharedLink
        access = grant.access
        expiresAt = grant.expiresAt
    }

    /// Returns the session token that contains this session.
    package func token(keyRing: KeyRing, randomness: Randomness) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return try keyRing.seal(
            encoder.encode(self), for: .storageSession, context: accessKeyID, randomness: randomness
        )
    }

    /// Opens a session token sent with an access key id.
    /// - Returns: `nil` if it was not issued by this service or belongs to another access key. The caller must check
    ///   the expiry.
    package static func open(token: String, accessKeyID: String, keyRing: KeyRing) -> SealedStorageSession? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let bytes = try? keyRing.open(token, for: .storageSession, context: accessKeyID),
            let session = try? decoder.decode(SealedStorageSession.self, from: bytes)
        else { return nil }
        return session
    }
}
