import Crypto
import Foundation
import JWS
import PhotolalaAPI
import Secrets
import Sessions

/// A DPoP proof as a device creates it, whose parts can be modified before it is signed.
package struct DPoPProofDraft {
    /// The members of the JWS header.
    package var header: [String: Any]
    package var claims: [String: Any]
    private let key: P256.Signing.PrivateKey

    package init(
        _ key: P256.Signing.PrivateKey, _ method: String, _ uri: String, nonce: String?, accessToken: String? = nil
    ) throws {
        self.key = key
        let jwk = try JSONSerialization.jsonObject(with: Data(P256JSONWebKey(key.publicKey).json.utf8))
        header = ["typ": DPoP.proofType, "alg": DPoP.algorithm, "jwk": jwk]
        claims = [
            "jti": Base64URL.encode(Randomness.system.bytes(12)), "htm": method, "htu": uri, "iat": 1_562_262_616,
        ]
        claims["nonce"] = nonce
        claims["ath"] = accessToken.map { Base64URL.encode(Data(SHA256.hash(data: Data($0.utf8)))) }
    }

    /// Returns the signed proof.
    package func text() throws -> String {
        let parts = try [header, claims].map { Base64URL.encode(try JSONSerialization.data(withJSONObject: $0)) }
        let signed = parts.joined(separator: ".")
        return "\(signed).\(Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation))"
    }
}

extension TestService {
    /// Returns a device's DPoP proof for a call to this service, with the current nonce.
    package func dpopProof(
        of key: P256.Signing.PrivateKey, _ method: String, _ path: String, accessToken: String? = nil
    ) throws -> PresentedDPoPProof {
        let uri = Self.publicURL + path
        let draft = try DPoPProofDraft(
            key, method, uri, nonce: try components.sessions.dpopVerifier.nonce(), accessToken: accessToken
        )
        return PresentedDPoPProof(text: try draft.text(), method: method, uri: uri)
    }

    /// Refreshes a session that is bound to a key.
    package func refresh(_ session: Session, _ key: P256.Signing.PrivateKey) async throws -> Session {
        let request = RefreshRequest(refreshToken: session.refreshToken)
        return try await services.sessions.refresh(request, try dpopProof(of: key, "POST", Route.refresh.path)).session
    }
}
