import Foundation
import JWS

/// A proof of possession that was checked, and is not used up yet.
package struct DeviceProof: Sendable {
    /// The key that its sender holds.
    package let key: KeyThumbprint
    /// After this it is refused everywhere.
    package let expiresAt: Date
    /// Whether the request that it was made for changes nothing.
    package let onlyReads: Bool
    /// Which proof of that key it is.
    let fingerprint: UInt128
    /// Of its nonce.
    let window: UInt32

    /// Names it among all proofs of all keys: 32 hex digits.
    package var id: String {
        let digits = String(fingerprint, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
