import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Services {
    /// Asks providers whether the tokens that they gave us still count, each at most once a day. Where none does, the person
    /// has taken the consent back: the link is revoked, and the sessions that it opened are over. The service's own job;
    /// an account costs one listing, its tokens a read and a write each.
    package func checkConsent(holding lease: JobLease? = nil) async throws(FlowError) {
        try await forEachAccount(.consent, holding: lease) { user in
            for stored in try await providerTokens.all(of: user) { try await check(stored, of: user) }
        }
    }

    private static let day: TimeInterval = 86_400

    private func check(_ stored: Stored<ProviderTokensDocument>, of user: UserID) async throws {
        guard let account = try await accounts.account(user), account.value.isUsable,
            let link = account.value.links.first(where: { $0.id == stored.value.link && $0.state != .removing })
        else { return try await letGo(stored, user) }
        guard stored.value.checkedAt.addingTimeInterval(Self.day) <= now() else { return }
        // While an app moves to another team, a refusal says nothing of what the person wants.
        guard !account.value.isMoving(link.id), try await !accounts.isPrepared(link.id) else { return }
        guard link.state != .revoked else { return try await providerTokens.remove(stored, user) }
        let tokens = try providerTokens.open(stored.value, user)
        let counting = try await counting(tokens, at: stored.value.provider)
        guard counting.isEmpty, !tokens.isEmpty else {
            return try await providerTokens.confirm(counting, in: stored, user, at: now())
        }
        try await note(
            ProviderEvent(.consentRevoked, subject: "", at: now()), of: FoundAccount(account: account, link: link)
        )
    }

    /// What becomes of the tokens of a link that is gone. One that goes on as another was not ended by the person: taking
    /// its tokens back could be taken for the end of consent.
    private func letGo(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws {
        if let account = try await accounts.account(user), account.value.hasReplaced(stored.value.link) {
            return try await providerTokens.remove(stored, user)
        }
        try await takeBack(stored, user)
    }

    /// Those that the provider does not refuse. One that we cannot ask about counts.
    private func counting(
        _ tokens: [ProviderTokens.Opened], at provider: ProviderName
    ) async throws -> [ProviderTokens.Opened] {
        guard let service = tokenServices[provider] else { return tokens }
        var counting: [ProviderTokens.Opened] = []
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
