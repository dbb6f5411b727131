import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// An entry of an account's audit log: actor, action, time and provider. The service writes no e-mail address, token,
/// subject or name into it.
package struct AuditEntry: Codable, Sendable, Equatable {
    /// Counts from 1 without gaps.
    package let sequence: Int
    package let at: Date
    package let act: AuditAction
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// The device on which the action was performed.
    package let device: DeviceID?
    /// The device affected by the action.
    package let target: DeviceID?
    /// The sequence among the pending audit events of a device record, the target's if there is one; `nil` for an
    /// action that changed the account.
    package let deviceSequence: Int?
    /// `true` for a sign-in on a device that the account did not have before; otherwise `nil`.
    package let isNewDevice: Bool?
    /// The account's tier after the action; `nil` if the action does not concern the tier.
    package let tier: Tier?
    /// When a requested unlink takes effect; `nil` for other actions.
    package let effectiveAt: Date?
    /// The operator's reason, for actions of an operator; otherwise `nil`.
    package let reason: String?
    /// For a sign-in and the creation of the account: the country of the client's address, if it is known.
    package let country: CountryCode?
    /// The hash of the previous entry; 64 zeros for the first.
    package let previousHash: String

    /// Encodes the entry as it is stored and hashed.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Decodes a stored entry; returns `nil` for malformed bytes.
    package static func decode(_ bytes: Data) -> AuditEntry? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(AuditEntry.self, from: bytes)
    }

    /// Returns the SHA-256 of an entry's stored bytes, in hex: the next entry's `previousHash`.
    package static func hash(of bytes: Data) -> String { Hex.encode(SHA256.hash(data: bytes)) }
}
