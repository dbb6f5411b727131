import Foundation
import PhotolalaAPI

/// Hands out storage credentials for a grant.
package protocol CredentialIssuer: Sendable {
    /// Whether credentials stop with the session that they were handed out in. Otherwise they go on until their own end.
    var endsWithSession: Bool { get }
    /// The shortest time for which its credentials can be valid while the session goes on, in seconds.
    var leastLifetime: TimeInterval { get }
    /// Credentials that reach what the grant says and nothing else, for as long as it says and no longer.
    func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials
}

extension CredentialIssuer {
    /// The shortest session of a token service.
    package var leastLifetime: TimeInterval { 900 }
}

/// Why no credentials were handed out.
package enum CredentialIssuerError: Error, Equatable, Sendable {
    /// The issuer does not answer.
    case unavailable(String)
    /// The issuer refuses; a setting is wrong.
    case refused(String)
}
