import Foundation
import PhotolalaAPI

/// Issues storage credentials for a grant.
package protocol CredentialIssuer: Sendable {
    /// Whether credentials become invalid with the session for which they were issued. Otherwise they are valid until
    /// they expire.
    var endsWithSession: Bool { get }
    /// The shortest time for which its credentials can be valid while the session goes on, in seconds.
    var minimumLifetime: TimeInterval { get }
    /// The longest time for which credentials with `upload` access can be valid, in seconds.
    var maximumUploadLifetime: TimeInterval { get }
    /// Credentials that reach what the grant says and nothing else, for as long as it says and no longer.
    func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials
}

extension CredentialIssuer {
    /// The shortest session of a token service.
    package var minimumLifetime: TimeInterval { 900 }

    /// The longest session that a role may give to another role.
    package var maximumUploadLifetime: TimeInterval { 3600 }
}

/// Why no credentials were handed out.
package enum CredentialIssuerError: Error, Equatable, Sendable {
    /// The issuer does not respond.
    case unavailable(String)
    /// The issuer rejects the request; a setting is wrong.
    case refused(String)
}
