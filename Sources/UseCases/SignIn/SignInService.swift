import Accounts
import JWS
import Monitoring
import PhotolalaAPI
import Sessions

/// Signs in to existing accounts.
package struct SignInService: Sendable {
    let identities: IdentityVerification
    let dpopProofs: DPoPProofs
    let accounts: AccountDirectory
    let sessionOpener: SessionOpener
    let unknownIdentities: UnknownIdentities
    let metrics: ServiceMetrics

    /// Signs in to an existing account: verifies the ID token, finds the account and opens a session on the device.
    /// Creates nothing but the session.
    ///
    /// Three reads (identity binding, account, device) and two writes (spent challenge, device); an authorization code
    /// adds one write, concurrently with the others. A device that is new to the account adds a listing (`addDevice`).
    /// - Parameter presented: the DPoP proof of the key to bind the session to.
    package func signIn(
        _ request: SignInRequest, _ presented: PresentedDPoPProof? = nil
    ) async throws(ServiceError) -> SignedIn {
        try await metrics.countingSignIn(request.provider) { () async throws(ServiceError) in
            try await verifyAndSignIn(request, presented)
        }
    }

    private func verifyAndSignIn(
        _ request: SignInRequest, _ presented: PresentedDPoPProof?
    ) async throws(ServiceError) -> SignedIn {
        try request.device.validate()
        let keyThumbprint = try dpopProofs.verifyDeviceKey(presented)
        let proof = IDTokenRequest(provider: request.provider, idToken: request.idToken, challenge: request.challenge)
        let verified = try await identities.verifyToken(
            proof, code: request.authorizationCode, .signin, device: request.device.id
        )
        try await dpopProofs.consume(keyThumbprint, isOnce: false)
        return try await signIn(verified: verified, on: request.device, key: keyThumbprint?.key)
    }

    /// Signs in with a verified identity; shared by the API and the browser pages.
    /// - Parameters:
    ///   - longest: the longest sealed identity that the client can store, in bytes.
    ///   - own: the session whose secret the client presents. It could sign out, so the sign-in may replace it.
    func signIn(
        verified: VerifiedSignIn, on device: DeviceDescription, key: KeyThumbprint?, keeping longest: Int = .max,
        replacing own: SessionID? = nil
    ) async throws(ServiceError) -> SignedIn {
        guard let found = try await mapServiceErrors({ try await accounts.find(verified.identity) }) else {
            throw .noAccountFound(try await unknownIdentities.seal(verified, for: device.id, keeping: longest))
        }
        return try await sessionOpener.startSession(
            found, by: verified, on: device, key: key, isNewAccount: false, replacing: own)
    }
}
