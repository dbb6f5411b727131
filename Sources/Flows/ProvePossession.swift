import Accounts
import PhotolalaAPI
import Secrets
import Sessions

extension Services {
    /// The key that a new session is to be bound to, proven; `nil` for a device that brings none.
    func holder(_ presented: PresentedProof?) throws(FlowError) -> DeviceProof? {
        do {
            return try presented.map { try sessions.verify($0) }
        } catch {
            throw FlowError(error)
        }
    }

    /// Takes a device's proof for its one request. Each copy of the service knows those that came to it; what no copy may
    /// take again is marked in the store, with one write.
    /// - Parameter isOnce: a call that changes something, or hands out what is worth something without the key.
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
