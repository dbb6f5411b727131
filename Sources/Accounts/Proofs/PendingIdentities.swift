import Foundation
import PhotolalaAPI
import Secrets

/// A verified identity without an account, sealed and handed to the device that proved it, so that Create Account or
/// Link needs no second provider round. Good for 10 minutes, one use and that device.
package struct PendingIdentities: Sendable {
    /// How long one is good.
    package static let lifetime: TimeInterval = 600

    private let keyRing: KeyRing
    private let spent: SpentMarks
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    private struct Contents: Codable {
        let id: String
        let identity: VerifiedIdentity
        let authorizationCode: String?
        let refreshToken: String?
        let name: String?
        let expiresAt: Date
    }

    package init(keyRing: KeyRing, spent: SpentMarks, now: @escaping @Sendable () -> Date, randomness: Randomness) {
        self.keyRing = keyRing
        self.spent = spent
        self.now = now
        self.randomness = randomness
    }

    /// Seals an identity for a device.
    package func seal(
        _ proven: ProvenIdentity, for device: DeviceID
    ) throws(SecretsError) -> (sealed: String, expiresAt: Date) {
        let expiresAt = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Self.lifetime).rounded())
        let contents = Contents(
            id: Hex.encode(randomness.bytes(16)), identity: proven.identity,
            authorizationCode: proven.authorizationCode, refreshToken: proven.refreshToken, name: proven.name,
            expiresAt: expiresAt
        )
        guard let bytes = try? JSONEncoder().encode(contents) else { throw .sealFailed }
        let sealed = try keyRing.seal(
            bytes, for: .pendingIdentity, context: device.description, randomness: randomness
        )
        return (sealed, expiresAt)
    }

    /// Opens a sealed identity for the device it was made for and marks it as used.
    package func spend(_ sealed: String, device: DeviceID) async throws(ProofError) -> ProvenIdentity {
        let contents = try open(sealed, device)
        try await spent.spend(
            "pending-\(contents.id)", expiresAt: contents.expiresAt, mark: Hex.encode(randomness.bytes(16))
        )
        return ProvenIdentity(
            identity: contents.identity, authorizationCode: contents.authorizationCode,
            refreshToken: contents.refreshToken, name: contents.name)
    }

    /// Whose it is, without using it.
    package func identity(in sealed: String, device: DeviceID) throws(ProofError) -> VerifiedIdentity {
        try open(sealed, device).identity
    }

    private func open(_ sealed: String, _ device: DeviceID) throws(ProofError) -> Contents {
        guard sealed.utf8.count <= 8192,
            let bytes = try? keyRing.open(sealed, for: .pendingIdentity, context: device.description),
            let contents = try? JSONDecoder().decode(Contents.self, from: bytes)
        else { throw .notAuthentic }
        guard contents.expiresAt > now() else { throw .expired }
        return contents
    }
}
