import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Checks whether users still consent to the use of their identities.
package struct ConsentCheck: Sendable {
    let accounts: AccountDirectory
    let tokenServices: [ProviderName: any ProviderTokenService]
    let providerTokens: ProviderTokens
    let tokenLifecycle: ProviderTokenLifecycle
    let events: ProviderEventService
    let accountWalk: AccountWalk
    let now: @Sendable () -> Date

    private static let day: TimeInterval = 86_400

    /// Asks providers whether the stored tokens are still valid, each token at most once a day. If none of a link's
    /// tokens is valid, the user has withdrawn consent: the link is revoked and its sessions end. A background job;
    /// costs one listing for each account, and a read and a write for each link's tokens.
    package func checkConsent(holding lease: JobLease? = nil) async throws(ServiceError) {
        try await accountWalk.forEachAccountConcurrently(.consent, holding: lease) { user in
            for stored in try await providerTokens.all(of: user) { try await checkTokens(stored, of: user) }
        }
    }

    private func checkTokens(_ stored: Stored<ProviderTokensDocument>, of user: UserID) async throws {
        guard let account = try await accounts.account(user), account.value.isUsable,
            let link = account.value.links.first(where: { $0.id == stored.value.link && $0.state != .removing })
        else { return try await disposeOfTokens(stored, user) }
        guard stored.value.checkedAt.addingTimeInterval(Self.day) <= now() else { return }
        // While an app moves to another team, a refusal does not mean that the user withdrew consent.
        guard !account.value.isInTransfer(link.id), try await !accounts.hasPreparedTransfer(link.id) else { return }
        guard link.state != .revoked else { return try await providerTokens.remove(stored, user) }
        let tokens = try providerTokens.open(stored.value, user)
        let counting = try await validTokens(tokens, at: stored.value.provider)
        guard counting.isEmpty, !tokens.isEmpty else {
            return try await providerTokens.recordConfirmation(counting, in: stored, user, at: now())
        }
        try await events.record(
            ProviderEvent(.consentRevoked, subject: "", at: now()), of: FoundAccount(account: account, link: link)
        )
    }

    /// Disposes of the tokens of a removed link. The tokens of a replaced link are only deleted: the provider could
    /// treat a revocation as withdrawn consent.
    private func disposeOfTokens(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws {
        if let account = try await accounts.account(user), account.value.isReplaced(stored.value.link) {
            return try await providerTokens.remove(stored, user)
        }
        try await tokenLifecycle.revokeTokens(stored, user)
    }

    /// Returns the tokens that the provider does not refuse. A token that cannot be checked counts as valid.
    private func validTokens(
        _ tokens: [ProviderTokens.OpenedToken], at provider: ProviderName
    ) async throws -> [ProviderTokens.OpenedToken] {
        guard let service = tokenServices[provider] else { return tokens }
        var counting: [ProviderTokens.OpenedToken] = []
        for token in tokens {
            do {
                if service.serves(token.clientID) { try await service.check(token.refreshToken, of: token.clientID) }
                counting.append(token)
            } catch ProviderTokenError.refused {
                continue
            }
        }
        return counting
    }
}
