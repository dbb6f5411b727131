import Accounts
import JWS

extension CompactJWS {
    /// Parses an ID token.
    /// - Throws: `malformed` or `algorithmRefused`.
    init(identityToken: String) throws(IdentityTokenError) {
        do {
            try self.init(identityToken)
        } catch {
            switch error {
            case .malformed(let part): throw .malformed(part)
            case .algorithmRefused: throw .algorithmRefused
            }
        }
    }

    /// Returns whether the key signed this token with the algorithm. The caller chooses the algorithm from its own
    /// list; the token and the key must both match it.
    func isSigned(by key: JSONWebKey, using algorithm: JWSAlgorithm) -> Bool {
        header.algorithm == algorithm.rawValue && key.verifies(signingInput, signature: signature, using: algorithm)
    }
}
