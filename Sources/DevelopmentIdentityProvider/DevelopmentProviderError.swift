/// An error of the development provider.
package enum DevelopmentProviderError: Error, Equatable, Sendable {
    /// A member of the request is invalid; names the member.
    case invalidRequest(String)
    /// The bytes of the signing key are not an RSA key, or signing failed.
    case keyUnusable
    /// A document could not be encoded as JSON.
    case notEncodable
}
