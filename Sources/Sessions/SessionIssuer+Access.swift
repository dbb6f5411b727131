import PhotolalaAPI

/// A verified access token.
package struct VerifiedAccess: Sendable {
    package let claims: AccessClaims
    /// The DPoP proof of the key to which the token is bound.
    package let proof: DPoPProof?
}

extension SessionIssuer {
    /// Verifies an access token and, if it is bound to a key, that the sender holds the key (RFC 9449 section 7). A
    /// bound token without a DPoP proof is rejected, and so is a proof with an unbound token. Does not check whether
    /// the session is valid: see `isValid`.
    /// - Throws: `invalidToken`, `invalidDPoPProof`, `nonceRequired`.
    package func verify(
        _ accessToken: String, _ presented: PresentedDPoPProof?
    ) async throws(SessionError) -> VerifiedAccess {
        let claims = try await tokens.verify(accessToken)
        RequestAccount.current?.set(claims.user)
        guard let key = claims.confirmation?.jkt else {
            guard presented == nil else { throw .invalidToken("DPoP proof for an unbound token") }
            return VerifiedAccess(claims: claims, proof: nil)
        }
        guard let presented else { throw .invalidToken("missing DPoP proof for a bound token") }
        let proof = try dpopVerifier.verify(presented, accessToken: accessToken)
        guard proof.key == key else { throw .invalidToken("DPoP proof of another key") }
        return VerifiedAccess(claims: claims, proof: proof)
    }

    /// Verifies that the sender of a request holds the key in its DPoP proof.
    /// - Throws: `invalidDPoPProof`, `nonceRequired`.
    package func verify(_ presented: PresentedDPoPProof) throws(SessionError) -> DPoPProof {
        try dpopVerifier.verify(presented)
    }
}
