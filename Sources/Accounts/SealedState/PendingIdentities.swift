import Foundation
import PhotolalaAPI
import Secrets

/// Verified identities, sealed for one device: from a sign-in that found no account, to create or link an account
/// without another authorization request, or from a browser on behalf of an app. Each is valid for 10 minutes, one use
/// and that device.
package struct PendingIdentities: Sendable {
    /// How long a pending identity is valid, in seconds.
    package static let lifetime: TimeInterval = 600

    private let keyRing: KeyRing
    private let usedMarkers: SingleUseMarkers
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    private struct Contents: Codable {
        let id: String
        let identity: VerifiedIdentity
        let authorizationCode: String?
        let refreshToken: String?
        let name: String?
        let expiresAt: Date
        /// `nil` for an identity from a sign-in without an account.
        let app: AppAuthenticationRequest?
    }

    package init(
        keyRing: KeyRing, usedMarkers: SingleUseMarkers, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.keyRing = keyRing
        self.usedMarkers = usedMarkers
        self.now = now
        self.randomness = randomness
    }

    /// Seals an identity for a device.
    /// - Parameter app: the app's request that it answers; `nil` for a sign-in without an account.
    package func seal(
        _ proven: VerifiedSignIn, for device: DeviceID, app: AppAuthenticationRequest? = nil
    ) throws(SecretsError) -> (sealed: String, expiresAt: Date) {
        let expiresAt = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Self.lifetime).rounded())
        let contents = Contents(
            id: Hex.encode(randomness.bytes(16)), identity: proven.identity,
            authorizationCode: proven.authorizationCode, refreshToken: proven.refreshToken, name: proven.name,
            expiresAt: expiresAt, app: app
        )
        guard let bytes = try? JSONEncoder().encode(contents) else { throw .sealFailed }
        let sealed = try keyRing.seal(
            bytes, for: .pendingIdentity, context: device.description, randomness: randomness
        )
        return (sealed, expiresAt)
    }

    /// Opens a sealed identity for its device and purpose, and marks it as used. One write.
    /// - Parameter verifier: the PKCE verifier, for an identity that a browser authenticated for an app.
    /// - Throws: `wrongPurpose` for another purpose, or without the verifier.
    package func consume(
        _ sealed: String, device: DeviceID, for purpose: ChallengePurpose, verifier: String?
    ) async throws(SealedStateError) -> VerifiedSignIn {
        let contents = try open(sealed, device)
        guard Self.matchesPurpose(contents.app, for: purpose, verifier) else { throw .wrongPurpose }
        try await usedMarkers.consume(
            "pending-\(contents.id)", expiresAt: contents.expiresAt, marker: Hex.encode(randomness.bytes(16))
        )
        return VerifiedSignIn(
            identity: contents.identity, authorizationCode: contents.authorizationCode,
            refreshToken: contents.refreshToken, name: contents.name)
    }

    /// An identity from a sign-in without an account cannot serve as recent authentication.
    private static func matchesPurpose(
        _ app: AppAuthenticationRequest?, for purpose: ChallengePurpose, _ verifier: String?
    ) -> Bool {
        guard let app else { return purpose != .reauthenticate && verifier == nil }
        return app.purpose == purpose && verifier.map(app.accepts) == true
    }

    /// Returns the identity without using it up.
    package func identity(in sealed: String, device: DeviceID) throws(SealedStateError) -> VerifiedIdentity {
        try open(sealed, device).identity
    }

    private func open(_ sealed: String, _ device: DeviceID) throws(SealedStateError) -> Contents {
        guard sealed.utf8.count <= 8192,
            let bytes = try? keyRing.open(sealed, for: .pendingIdentity, context: device.description),
            let contents = try? JSONDecoder().decode(Contents.self, from: bytes)
        else { throw .notAuthentic }
        guard contents.expiresAt > now() else { throw .expired }
        return contents
    }
}
