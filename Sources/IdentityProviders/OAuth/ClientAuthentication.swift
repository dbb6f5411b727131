import Foundation

/// How we prove to a provider's token endpoint which client we are.
package enum ClientAuthentication: Sendable {
    /// By name alone, as the development provider takes it.
    case none
    /// By a secret for each client id (RFC 6749 section 2.3.1).
    case secrets([String: String])
    /// By a token that is signed for each call with Apple's key.
    case apple(AppleClientKey)

    /// Whether this client can be proven.
    package func covers(_ clientID: String) -> Bool {
        switch self {
        case .none, .apple: true
        case .secrets(let secrets): secrets[clientID] != nil
        }
    }

    /// `client_secret`, where there is one.
    /// - Parameter issuer: the provider, as the proof is meant for it alone.
    func secret(of clientID: String, for issuer: String, at time: Date) throws -> String? {
        switch self {
        case .none: nil
        case .secrets(let secrets): secrets[clientID]
        case .apple(let key): try key.secret(of: clientID, for: issuer, at: time)
        }
    }
}
