import PhotolalaAPI

/// An access token that is good for whoever presented it.
package struct VerifiedAccess: Sendable {
    package let claims: AccessClaims
    /// That of the key which the token is bound to.
    package let proof: DeviceProof?
}

extension SessionIssuer {
    /// Checks an access token, and that who presents one that is bound to a key holds it (RFC 9449 section 7). A bound
    /// token without a proof is refused, and so is a proof with a token that is not bound. Whether the session still
    /// stands is another check: see `standing`.
    /// - Throws: `invalidToken`, `invalidProof`, `nonceNeeded`.
    package func verify(
        _ accessToken: String, _ presented: PresentedProof?
    ) async throws(SessionError) -> VerifiedAccess {
        let claims = try await tokens.verify(accessToken)
        guard let key = claims.confirmation?.jkt else {
            guard presented == nil else { throw .invalidToken("bound to no key") }
            return VerifiedAccess(claims: claims, proof: nil)
        }
        guard let presented else { throw .invalidToken("bound to a key, and none is proven") }
        let proof = try proofs.check(presented, accessToken: accessToken)
        guard proof.key == key else { throw .invalidToken("bound to another key") }
        return VerifiedAccess(claims: claims, proof: proof)
    }

    /// Checks that whoever sent a request holds the key that it brings.
    /// - Throws: `invalidProof`, `nonceNeeded`.
    package func verify(_ presented: PresentedProof) throws(SessionError) -> DeviceProof {
        try proofs.check(presented)
    }
}
