import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// One act on an account: who did what, when, with which provider. It holds no e-mail address, token, subject or name.
package struct AuditEntry: Codable, Sendable, Equatable {
    /// Counts from 1 without gaps.
    package let sequence: Int
    package let at: Date
    package let act: AuditAct
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    /// Where it was done.
    package let device: DeviceID?
    /// The device to which it was done.
    package let target: DeviceID?
    /// Its place among the acts that a device's record kept for the chain, the target's where there is one; none for an
    /// act that changed the account.
    package let deviceSequence: Int?
    /// Of a sign-in: the account did not have the device before; left out otherwise.
    package let isNewDevice: Bool?
    /// The tier that the account has from then on; left out where the act is not about it.
    package let tier: Tier?
    /// When an unlinking that was requested takes effect; left out for other acts.
    package let effectiveAt: Date?
    /// The hash of the entry before; 64 zeros for the first.
    package let previousHash: String

    /// The entry's bytes as they are stored and hashed.
    package func bytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Reads a stored entry; gives `nil` for what is none.
    package static func read(_ bytes: Data) -> AuditEntry? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(AuditEntry.self, from: bytes)
    }

    /// The SHA-256 of an entry's stored bytes, in hex: what the next entry names as `previousHash`.
    package static func hash(of bytes: Data) -> String { Hex.encode(SHA256.hash(data: bytes)) }
}
