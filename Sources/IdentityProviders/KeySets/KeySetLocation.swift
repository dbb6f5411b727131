/// Where a provider's keys are found.
package enum KeySetLocation: Sendable, Equatable, CustomStringConvertible {
    /// At an address that settings name.
    case url(String)
    /// Where the issuer's discovery document says. It is asked with each fetch of the keys, so a server starts while the
    /// provider is away.
    case discovered(issuer: String)

    /// The address that is asked first.
    package var description: String {
        switch self {
        case .url(let url): url
        case .discovered(let issuer): DiscoveryDocument.url(of: issuer)
        }
    }
}
