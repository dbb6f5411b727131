import Accounts
import Foundation
import Logging
import Monitoring
import PhotolalaAPI

/// Seals verified identities without an account for Create Account or Link.
package struct UnknownIdentities: Sendable {
    let pendingIdentities: PendingIdentities
    let accounts: AccountDirectory
    let limits: RateLimiter
    let logger: Logger

    /// Seals an identity without an account for Create Account or Link, with the hints that its e-mail address permits.
    func seal(
        _ verified: VerifiedSignIn, for device: DeviceID, keeping longest: Int
    ) async throws(ServiceError) -> UnknownIdentity {
        let identity = verified.identity
        let pending = try sealIdentity(verified, for: device, keeping: longest)
        return UnknownIdentity(
            provider: identity.provider, pendingIdentity: pending.sealed, expiresAt: pending.expiresAt,
            hints: await hints(for: identity)
        )
    }

    /// Seals an identity. If the result is too long, leaves out first the name, which the user can set later, and then
    /// the provider's refresh token, which signing in does not need.
    /// - Throws: `invalidToken` if the identity alone is too long.
    private func sealIdentity(
        _ verified: VerifiedSignIn, for device: DeviceID, keeping longest: Int
    ) throws(ServiceError) -> (sealed: String, expiresAt: Date) {
        let nameless = VerifiedSignIn(
            identity: verified.identity, authorizationCode: verified.authorizationCode,
            refreshToken: verified.refreshToken)
        let bare = VerifiedSignIn(identity: verified.identity, authorizationCode: verified.authorizationCode)
        for candidate in [verified, nameless, bare] {
            do {
                let pending = try pendingIdentities.seal(candidate, for: device)
                if pending.sealed.utf8.count <= longest { return pending }
            } catch { throw ServiceError(error) }
        }
        throw .invalidToken(.ruleNotMet("identity too long for a browser cookie"))
    }

    /// Returns hints about other accounts of the e-mail address. A hint that cannot be read must not block a sign-up.
    private func hints(for identity: VerifiedIdentity) async -> [ProviderName] {
        guard let email = identity.email, email.provesOwnership else { return [] }
        do {
            try limits.consumeHint(for: email.address)
            let hints = try await accounts.hintedProviders(for: email)
            if !hints.isEmpty {
                logger.info(.hintReturned, "account hint returned", metadata: ["provider": "\(identity.provider)"])
            }
            return hints
        } catch ServiceError.rateLimited {
            logger.notice(.hintWithheld, "account hint withheld: rate limit exceeded")
            return []
        } catch {
            logger.error(.hintUnreadable, "unreadable email hint", metadata: ["reason": "\(error)"])
            return []
        }
    }
}
