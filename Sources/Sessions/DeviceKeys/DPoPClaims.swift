import Foundation
import JSONCoding

/// The claims of a DPoP proof (RFC 9449 section 4.2), decoded but not verified.
struct DPoPClaims {
    /// Chosen by the device, different for each proof.
    let id: String
    let method: String
    let uri: String
    let nonce: String?
    /// The SHA-256 of the accompanying access token, in base64url.
    let tokenHash: String?

    /// - Throws: `invalidDPoPProof`.
    init(_ payload: Data) throws(SessionError) {
        guard let members = (try? JSONReader.read(payload))?.object else {
            throw .invalidDPoPProof("claims are not JSON")
        }
        func text(_ name: String) throws(SessionError) -> String? {
            guard let value = members[name] else { return nil }
            guard let text = value.string else { throw .invalidDPoPProof("\(name) must be a string") }
            return text
        }
        guard let id = try text("jti"), (1...255).contains(id.utf8.count) else {
            throw .invalidDPoPProof("jti must be 1 to 255 bytes")
        }
        guard let method = try text("htm"), let uri = try text("htu") else {
            throw .invalidDPoPProof("htm or htu is missing")
        }
        // The nonce shows that the proof is recent; the device's clock is not relied on.
        guard case .number(let issuedAt)? = members["iat"], issuedAt.isFinite else {
            throw .invalidDPoPProof("iat is missing or not a number")
        }
        self.id = id
        self.method = method
        self.uri = uri
        nonce = try text("nonce")
        tokenHash = try text("ath")
    }
}
