import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets

/// Verifies DPoP proofs (RFC 9449 section 4.3). Sends no request to the store.
package struct DPoPVerifier: Sendable {
    /// The largest accepted proof, in bytes.
    static let maximumLength = 2048

    let nonces: DPoPNonces
    let replayCache: DPoPReplayCache

    /// - Parameter remembered: how many proofs per one-minute window this process remembers to prevent replay.
    package init(keyRing: KeyRing, remembered: Int, now: @escaping @Sendable () -> Date) {
        nonces = DPoPNonces(keyRing: keyRing, now: now)
        replayCache = DPoPReplayCache(limit: remembered)
    }

    /// Returns the nonce for new proofs.
    package func nonce() throws(SessionError) -> String {
        do { return try nonces.current() } catch { throw .secrets(error) }
    }

    /// Verifies that the sender of a request holds a key and signed this request. The most expensive check comes last.
    /// - Parameter accessToken: the access token in the same request.
    /// - Throws: `invalidDPoPProof`, `nonceRequired`.
    func verify(_ presented: PresentedDPoPProof, accessToken: String? = nil) throws(SessionError) -> DPoPProof {
        guard presented.text.utf8.count <= Self.maximumLength else {
            throw .invalidDPoPProof("longer than 2 KiB")
        }
        let jws: CompactJWS
        do { jws = try CompactJWS(presented.text) } catch { throw .invalidDPoPProof("not a JWS: \(error)") }
        guard jws.header.type == DPoP.proofType else { throw .invalidDPoPProof("typ must be \(DPoP.proofType)") }
        guard jws.header.algorithm == DPoP.algorithm else { throw .invalidDPoPProof("alg must be \(DPoP.algorithm)") }
        guard let key = jws.header.embeddedKey.flatMap(P256JSONWebKey.init) else {
            throw .invalidDPoPProof("jwk must be a public P-256 key without private members")
        }
        let claims = try DPoPClaims(jws.payload)
        guard claims.method == presented.method else { throw .invalidDPoPProof("htm must be \(presented.method)") }
        guard claims.uri == presented.uri || TargetURI.isEquivalent(claims.uri, to: presented.uri) else {
            throw .invalidDPoPProof("htu must be \(presented.uri)")
        }
        guard let window = claims.nonce.flatMap(nonces.window) else { throw .nonceRequired }
        if let accessToken {
            let hash = Base64URL.encode(Data(SHA256.hash(data: Data(accessToken.utf8))))
            guard claims.tokenHash == hash else { throw .invalidDPoPProof("ath must be the access token's hash") }
        }
        guard key.isSigner(of: jws) else { throw .invalidDPoPProof("signature does not match jwk") }
        let thumbprint = key.thumbprint
        return DPoPProof(
            key: thumbprint, expiresAt: DPoPNonces.end(of: window),
            onlyReads: presented.method == "GET" || presented.method == "HEAD",
            fingerprint: Self.fingerprint(thumbprint, claims.id), window: window
        )
    }

    /// Consumes a proof for its one request.
    /// - Returns: whether this process remembers the proof; if not, the caller must record it.
    /// - Throws: `invalidDPoPProof` if it was used before, `nonceRequired` if its nonce has expired in the meantime.
    package func consume(_ proof: DPoPProof) throws(SessionError) -> Bool {
        switch replayCache.consume(proof.fingerprint, of: proof.window, isGood: nonces.isValid) {
        case .fresh: return true
        case .used: throw .invalidDPoPProof("already used")
        case .expired: throw .nonceRequired
        case .full: return false
        }
    }

    private static func fingerprint(_ key: KeyThumbprint, _ id: String) -> UInt128 {
        SHA256.hash(data: key.bytes + Data(id.utf8)).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    }
}
