import Foundation
import JWS

/// A DPoP proof that was verified but not consumed yet.
package struct DPoPProof: Sendable {
    /// The key that the sender holds.
    package let key: KeyThumbprint
    /// After this time every instance rejects the proof.
    package let expiresAt: Date
    /// Whether its request changes nothing.
    package let onlyReads: Bool
    /// Identifies the proof among those of its key.
    let fingerprint: UInt128
    /// The window of its nonce.
    let window: UInt32

    /// Identifies the proof among all proofs of all keys: 32 hex digits.
    package var id: String {
        let digits = String(fingerprint, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
