import Accounts
import PhotolalaAPI

/// Finds the account of an identity for an operator. Changes nothing, and completes no interrupted operation.
package struct IdentityLookup: Sendable {
    let accounts: AccountDirectory
    let verifiers: [ProviderName: any IdentityTokenVerifier]

    /// What identifies the account.
    package enum Query: Sendable {
        case subject(ProviderName, String)
        /// An ID token, as an app sends it. It is verified and not spent.
        case idToken(ProviderName, String)
        /// An address that a trusted provider verified when the identity was linked. Other addresses find nothing.
        case email(String)
    }

    /// Returns the account; `nil` if the identity is not linked, or the address left no hint. Two or three reads.
    /// - Throws: `unknownProvider`, `invalidToken`, `unavailable`.
    package func account(_ query: Query) async throws(ServiceError) -> AccountDocument? {
        switch query {
        case .subject(let provider, let subject):
            return try await mapServiceErrors { try await accounts.linkedAccount(provider, subject) }
        case .idToken(let provider, let token):
            guard let verifier = verifiers[provider] else { throw .unknownProvider(provider) }
            let identity: VerifiedIdentity
            do {
                identity = try await verifier.verify(token)
            } catch .providerUnavailable {
                throw .unavailable("provider not reachable")
            } catch {
                throw .invalidToken(error)
            }
            return try await mapServiceErrors { try await accounts.linkedAccount(provider, identity.subject) }
        case .email(let address):
            return try await mapServiceErrors { try await accounts.account(hintedBy: address) }
        }
    }
}
