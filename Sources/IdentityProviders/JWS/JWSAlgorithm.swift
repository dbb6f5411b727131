/// The signature algorithms (RFC 7518 section 3.1) that a provider's settings may allow. `none` and the HMAC family are
/// excluded and cannot be configured, because a provider's key set is public.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
}
