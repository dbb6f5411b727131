/// Why the development provider made nothing.
package enum DevelopmentProviderError: Error, Equatable, Sendable {
    /// A member of the request breaks its rule; the text names it.
    case invalidRequest(String)
    /// The signing key's bytes are not an RSA key, or it refused to sign.
    case keyUnusable
    /// A document could not be written as JSON.
    case notEncodable
}
