import Crypto
import Foundation
import PhotolalaAPI
import Secrets

/// Nonces for authorization requests: an authenticated ticket with an expiry, bound to a purpose, a device and, for
/// actions inside a session, the account. Creating one writes nothing; using it writes a spent mark.
package struct Challenges: Sendable {
    /// How long a challenge is valid, in seconds.
    package static let lifetime: TimeInterval = 600

    private let keyRing: KeyRing
    private let usedMarkers: SingleUseMarkers
    private let now: @Sendable () -> Date
    private let randomness: Randomness
    private static let idLength = 16

    package init(
        keyRing: KeyRing, usedMarkers: SingleUseMarkers, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.keyRing = keyRing
        self.usedMarkers = usedMarkers
        self.now = now
        self.randomness = randomness
    }

    /// What a challenge may be used for.
    package enum Use: Sendable {
        /// A request of a device, in a session of `user` if it acts on an account.
        case request(ChallengePurpose, DeviceID, user: UserID?)
        /// The proof of both identities in a move to an account.
        case move(to: UserID)

        fileprivate var context: String {
            switch self {
            case .request(let purpose, let device, let user):
                "\(purpose.rawValue)/\(device)/\(user?.description ?? "")"
            case .move(let user): "identity-move/\(user)"
            }
        }
    }

    /// Creates a challenge: `{key id}.{id and expiry}.{code}`.
    package func make(_ use: Use) throws(SecretsError) -> Challenge {
        let expiresAt = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Self.lifetime).rounded())
        let expiry = UInt64(max(0, expiresAt.timeIntervalSince1970)).bigEndian
        let ticket = Data(randomness.bytes(Self.idLength)) + withUnsafeBytes(of: expiry) { Data($0) }
        let keyID = keyRing.currentKeyID
        let code = try keyRing.authenticationCode(
            of: ticket + Data(use.context.utf8), for: .challenge, keyID: keyID
        )
        return Challenge(
            challenge: "\(keyID).\(Base64URL.encode(ticket)).\(Base64URL.encode(code.prefix(16)))",
            expiresAt: expiresAt
        )
    }

    /// A challenge that is authentic, made for this use and not expired.
    package struct VerifiedChallenge: Sendable {
        fileprivate let text: String
        fileprivate let id: Data
        fileprivate let expiresAt: Date
    }

    /// Checks a challenge against its intended use.
    package func verify(_ challenge: String, _ use: Use) throws(SealedStateError) -> VerifiedChallenge {
        let parts = challenge.split(separator: ".", omittingEmptySubsequences: false)
        guard challenge.utf8.count <= 200, parts.count == 3, let ticket = Base64URL.decode(parts[1]),
            ticket.count == Self.idLength + 8, let code = Base64URL.decode(parts[2])
        else { throw .notAuthentic }
        let keyID = String(parts[0])
        let expected: Data
        do {
            expected = try keyRing.authenticationCode(
                of: ticket + Data(use.context.utf8), for: .challenge, keyID: keyID
            )
        } catch {
            throw .notAuthentic
        }
        guard ConstantTime.isEqual(expected.prefix(16), code) else { throw .wrongPurpose }
        let expiry = ticket.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let expiresAt = Date(timeIntervalSince1970: TimeInterval(expiry))
        guard expiresAt > now() else { throw .expired }
        return VerifiedChallenge(text: challenge, id: ticket.prefix(Self.idLength), expiresAt: expiresAt)
    }

    /// Compares a challenge with the token's nonce.
    /// - Parameter lacksNonceSupport: whether the provider's sign-in could not carry a nonce; then there is none to compare.
    package func requireNonce(
        _ nonce: String?, of challenge: VerifiedChallenge, lacksNonceSupport: Bool
    ) throws(SealedStateError) {
        guard nonce.map({ matches($0, challenge.text) }) ?? lacksNonceSupport else { throw .nonceMismatch }
    }

    /// Marks a challenge as used. One write.
    package func consume(_ challenge: VerifiedChallenge) async throws(SealedStateError) {
        try await usedMarkers.consume(
            "challenge-\(Hex.encode(challenge.id))", expiresAt: challenge.expiresAt,
            marker: Hex.encode(randomness.bytes(16))
        )
    }

    /// Apple's convention sends the hash of the value; other providers send the value itself.
    private func matches(_ nonce: String, _ challenge: String) -> Bool {
        let hash = Hex.encode(SHA256.hash(data: Data(challenge.utf8)))
        return ConstantTime.isEqual(nonce, challenge) || ConstantTime.isEqual(nonce, hash)
    }
}
