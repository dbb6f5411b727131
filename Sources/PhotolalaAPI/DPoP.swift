/// Constants of RFC 9449 (DPoP), with which a device proves possession of the key that its tokens are bound to.
public enum DPoP {
    /// The header field of a DPoP proof.
    public static let proofField = "DPoP"
    /// The header field in which the server supplies the nonce for subsequent DPoP proofs.
    public static let nonceField = "DPoP-Nonce"
    /// The `Authorization` scheme of a bound access token.
    public static let scheme = "DPoP"
    /// The `typ` of a DPoP proof.
    public static let proofType = "dpop+jwt"
    /// The only algorithm accepted for DPoP proofs.
    public static let algorithm = "ES256"
}
