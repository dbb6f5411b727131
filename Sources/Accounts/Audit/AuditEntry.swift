import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// One act on an account: who did what, when, with which provider. It holds no e-mail address, token or subject.
package struct AuditEntry: Codable, Sendable, Equatable {
    /// Counts from 1 without gaps.
    package let sequence: Int
    package let at: Date
    package let act: AuditAct
    package let actor: AuditActor
    package let provider: ProviderName?
    package let link: LinkID?
    package let device: DeviceID?
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

    /// The SHA-256 of the entry's bytes, in hex: what the next entry names as `previousHash`.
    package func hash() throws -> String { Hex.encode(SHA256.hash(data: try bytes())) }
}

/// What was done to the account.
package enum AuditAct: String, Codable, Sendable {
    case accountCreated = "account.created"
    case providerLinked = "provider.linked"
    case providerUnlinked = "provider.unlinked"
    case providerReactivated = "provider.reactivated"
    case signedOutEverywhere = "session.signed_out_everywhere"
}

/// Who did it.
package enum AuditActor: String, Codable, Sendable {
    case user
}

/// The end of an account's audit chain, kept in `account.json` so that it changes in one step with the act itself.
package struct AuditHead: Codable, Sendable, Equatable {
    package let sequence: Int
    /// The hash of the last entry.
    package let hash: String
    /// The last entry, whose own object may not be written yet: whoever writes next writes it first.
    package let lastEntry: AuditEntry

    /// What the first entry names as the hash before it.
    static let start = String(repeating: "0", count: 64)

    /// The chain with one more entry.
    static func appending(
        _ act: AuditAct, actor: AuditActor, provider: ProviderName? = nil, link: LinkID? = nil,
        device: DeviceID? = nil, at now: Date, to head: AuditHead?
    ) throws(AccountError) -> AuditHead {
        let entry = AuditEntry(
            sequence: (head?.sequence ?? 0) + 1, at: now, act: act, actor: actor, provider: provider, link: link,
            device: device, previousHash: head?.hash ?? Self.start
        )
        guard let hash = try? entry.hash() else { throw .corrupted("audit entry") }
        return AuditHead(sequence: entry.sequence, hash: hash, lastEntry: entry)
    }
}
