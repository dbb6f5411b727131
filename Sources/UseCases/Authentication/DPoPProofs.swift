import Accounts
import Secrets
import Sessions

/// Verifies the DPoP proofs of device keys and makes each proof usable once.
package struct DPoPProofs: Sendable {
    let sessions: SessionIssuer
    let usedMarkers: SingleUseMarkers

    /// Returns the nonce for a device's next proof (RFC 9449 section 8.2).
    package func nonce() throws(SessionError) -> String { try sessions.dpopVerifier.nonce() }

    /// Verifies the DPoP proof of the key to bind a new session to; returns `nil` for a device without a key.
    func verifyDeviceKey(_ presented: PresentedDPoPProof?) throws(ServiceError) -> DPoPProof? {
        do {
            return try presented.map { try sessions.verify($0) }
        } catch {
            throw ServiceError(error)
        }
    }

    /// Consumes the DPoP proof of one request. Each instance remembers the proofs that it received; a proof that no
    /// instance may accept again is marked in the store with one write.
    /// - Parameter isOnce: whether the call changes something or returns something that is usable without the key.
    func consume(_ proof: DPoPProof?, isOnce: Bool) async throws(ServiceError) {
        guard let proof else { return }
        let isRemembered: Bool
        do { isRemembered = try sessions.dpopVerifier.consume(proof) } catch { throw ServiceError(error) }
        guard isOnce || !isRemembered else { return }
        do {
            try await usedMarkers.consume(
                "dpop-\(proof.id)", expiresAt: proof.expiresAt, marker: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            throw ServiceError(error) { _ in .invalidDPoPProof("already used") }
        }
    }
}
