import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets

/// Checks proofs of possession (RFC 9449 section 4.3). Nothing here asks the store.
package struct DeviceProofs: Sendable {
    /// The longest proof looked at, in bytes.
    static let longest = 2048

    let nonces: ProofNonces
    let used: UsedProofs

    /// - Parameter remembered: how many proofs of one minute this process keeps from being used again by itself.
    package init(keyRing: KeyRing, remembered: Int, now: @escaping @Sendable () -> Date) {
        nonces = ProofNonces(keyRing: keyRing, now: now)
        used = UsedProofs(limit: remembered)
    }

    /// The nonce for the next proofs.
    package func nonce() throws(SessionError) -> String {
        do { return try nonces.current() } catch { throw .secrets(error) }
    }

    /// Checks that whoever sent a request holds a key, and meant this request by it. The dearest check comes last.
    /// - Parameter accessToken: the one that came along.
    /// - Throws: `invalidProof`, `nonceNeeded`.
    func check(_ presented: PresentedProof, accessToken: String? = nil) throws(SessionError) -> DeviceProof {
        guard presented.text.utf8.count <= Self.longest else { throw .invalidProof("it is longer than 2 KiB") }
        let jws: CompactJWS
        do { jws = try CompactJWS(presented.text) } catch { throw .invalidProof("it is no JWS: \(error)") }
        guard jws.header.type == DPoP.proofType else { throw .invalidProof("typ is \(DPoP.proofType)") }
        guard jws.header.algorithm == DPoP.algorithm else { throw .invalidProof("alg is \(DPoP.algorithm)") }
        guard let key = jws.header.embeddedKey.flatMap(P256JSONWebKey.init) else {
            throw .invalidProof("jwk is a public P-256 key without private parts")
        }
        let claims = try ProofClaims(jws.payload)
        guard claims.method == presented.method else { throw .invalidProof("htm is \(presented.method)") }
        guard claims.uri == presented.uri || TargetURI.names(claims.uri, sameAs: presented.uri) else {
            throw .invalidProof("htu is \(presented.uri) at this server")
        }
        guard let window = claims.nonce.flatMap(nonces.window) else { throw .nonceNeeded }
        if let accessToken {
            let hash = Base64URL.encode(Data(SHA256.hash(data: Data(accessToken.utf8))))
            guard claims.tokenHash == hash else { throw .invalidProof("ath is the access token's hash") }
        }
        guard key.isSigner(of: jws) else { throw .invalidProof("its signature is not the key's") }
        let thumbprint = key.thumbprint
        return DeviceProof(
            key: thumbprint, expiresAt: ProofNonces.end(of: window),
            onlyReads: presented.method == "GET" || presented.method == "HEAD",
            fingerprint: Self.fingerprint(thumbprint, claims.id), window: window
        )
    }

    /// Takes a proof for its one request.
    /// - Returns: whether this process remembers it from now on; else the caller has to see to it.
    /// - Throws: `invalidProof` when it was used before, `nonceNeeded` when its time has ended meanwhile.
    package func take(_ proof: DeviceProof) throws(SessionError) -> Bool {
        switch used.take(proof.fingerprint, of: proof.window, isGood: nonces.isGood) {
        case .fresh: return true
        case .used: throw .invalidProof("it was used before")
        case .late: throw .nonceNeeded
        case .full: return false
        }
    }

    private static func fingerprint(_ key: KeyThumbprint, _ id: String) -> UInt128 {
        SHA256.hash(data: key.bytes + Data(id.utf8)).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    }
}
