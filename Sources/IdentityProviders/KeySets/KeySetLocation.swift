/// Where a provider publishes its keys.
package enum KeySetLocation: Sendable, Equatable, CustomStringConvertible {
    /// At a configured URL.
    case url(String)
    /// At the URL in the issuer's discovery document. The document is fetched with each fetch of the keys, so a server
    /// starts even if the provider is unreachable.
    case discovered(issuer: String)

    /// The URL that is requested first.
    package var description: String {
        switch self {
        case .url(let url): url
        case .discovered(let issuer): DiscoveryDocument.url(of: issuer)
        }
    }
}
