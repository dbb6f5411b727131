/// The words of RFC 9449, with which a device shows that it holds the key that its tokens are bound to.
public enum DPoP {
    /// The header field of a proof.
    public static let proofField = "DPoP"
    /// The header field in which the server gives the nonce for the next proofs.
    public static let nonceField = "DPoP-Nonce"
    /// The `Authorization` scheme of a bound access token.
    public static let scheme = "DPoP"
    /// A proof's `typ`.
    public static let proofType = "dpop+jwt"
    /// The one algorithm that proofs are signed with here.
    public static let algorithm = "ES256"
}
