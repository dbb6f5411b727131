import Foundation

/// The client authentication at a provider's token endpoint.
package enum ClientAuthentication: Sendable {
    /// The client id only, as the development provider accepts it.
    case none
    /// A secret for each client id (RFC 6749 section 2.3.1).
    case secrets([String: String])
    /// A JWT signed with Apple's key for each call.
    case apple(AppleClientKey)

    /// Returns whether this client can be authenticated.
    package func covers(_ clientID: String) -> Bool {
        switch self {
        case .none, .apple: true
        case .secrets(let secrets): secrets[clientID] != nil
        }
    }

    /// Returns the `client_secret`, if there is one.
    /// - Parameter issuer: the provider, which is the audience of a signed secret.
    func secret(of clientID: String, for issuer: String, at time: Date) throws -> String? {
        switch self {
        case .none: nil
        case .secrets(let secrets): secrets[clientID]
        case .apple(let key): try key.secret(of: clientID, for: issuer, at: time)
        }
    }
}
