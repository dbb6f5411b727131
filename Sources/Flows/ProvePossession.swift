import Accounts
import PhotolalaAPI
import Secrets
import Sessions

extension Services {
    /// Verifies the DPoP proof of the key to bind a new session to; returns `nil` for a device without a key.
    func holder(_ presented: PresentedProof?) throws(FlowError) -> DeviceProof? {
        do {
            return try presented.map { try sessions.verify($0) }
        } catch {
            throw FlowError(error)
        }
    }

    /// Consumes the DPoP proof of one request. Each instance remembers the proofs that it received; a proof that no
    /// instance may accept again is marked in the store with one write.
    /// - Parameter isOnce: whether the call changes something or returns something that is usable without the key.
    func take(_ proof: DeviceProof?, isOnce: Bool) async throws(FlowError) {
        guard let proof else { return }
        let isRemembered: Bool
        do { isRemembered = try sessions.proofs.take(proof) } catch { throw FlowError(error) }
        guard isOnce || !isRemembered else { return }
        do {
            try await spentMarks.spend(
                "dpop-\(proof.id)", expiresAt: proof.expiresAt, mark: Hex.encode(sessions.randomness.bytes(16))
            )
        } catch {
            throw FlowError(error) { _ in .invalidProof("it was used before") }
        }
    }
}
