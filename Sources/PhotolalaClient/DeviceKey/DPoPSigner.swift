import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets

/// Creates DPoP proofs with a session's key (RFC 9449 section 4.2), a new one for each request.
package struct DPoPSigner: Sendable {
    let key: DeviceKey
    let randomness: Randomness
    let now: @Sendable () -> Date

    private struct Claims: Encodable {
        let jti: String
        let htm: String
        let htu: String
        /// The time by this device's clock. The server ignores it and uses the nonce to check that the proof is fresh.
        let iat: Int
        let nonce: String?
        let ath: String?
    }

    /// Creates the DPoP proof for one request.
    /// - Parameters:
    ///   - url: The request's address without its query.
    ///   - accessToken: The access token of the request, if any.
    ///   - nonce: The server's last nonce, if any.
    func dpopProof(
        _ method: String, _ url: String, accessToken: String?, nonce: String?
    ) throws(PhotolalaError) -> String {
        let jwk = P256JSONWebKey(key.publicKey).json
        let header = #"{"typ":"\#(DPoP.proofType)","alg":"\#(DPoP.algorithm)","jwk":\#(jwk)}"#
        let claims = Claims(
            jti: Base64URL.encode(randomness.bytes(16)), htm: method, htu: url, iat: Int(now().timeIntervalSince1970),
            nonce: nonce, ath: accessToken.map { Base64URL.encode(Data(SHA256.hash(data: Data($0.utf8)))) }
        )
        do {
            let payload = try JSONEncoder().encode(claims)
            let signed = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(payload))"
            return "\(signed).\(Base64URL.encode(try key.signature(of: Data(signed.utf8))))"
        } catch {
            throw PhotolalaError(
                code: .localStateUnusable, detail: "Cannot use the key of this device's session. Sign in again."
            )
        }
    }
}
