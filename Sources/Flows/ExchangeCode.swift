import Accounts
import ObjectStorage
import PhotolalaAPI

extension Services {
    /// Keeps the provider's refresh token that a proof brought, or the code that one is to be had for. What
    /// cannot be kept keeps nobody out. One write for a code, whose exchange nobody waits for; for a token two reads and
    /// one write.
    func keepTokens(of proven: ProvenIdentity, for found: FoundAccount) async {
        let (identity, user) = (proven.identity, found.account.value.serviceUserID)
        guard let client = identity.clientID, tokenServices[identity.provider]?.serves(client) == true else { return }
        do {
            if let token = proven.refreshToken {
                try await keep(
                    .init(clientID: client, refreshToken: token), of: identity.provider, for: found.link.id, user)
            } else if let code = proven.authorizationCode {
                try await providerCalls.exchange(code, of: client, at: identity.provider, for: found.link.id, user)
            }
        } catch {
            logger.error("a provider's token or code was not kept", metadata: ["reason": "\(error)"])
        }
    }

    private func keep(
        _ token: ProviderTokens.Opened, of provider: ProviderName, for link: LinkID, _ user: UserID
    ) async throws {
        try await providerTokens.keep(token, of: provider, link: link, user: user, at: now())
        guard let account = try await accounts.account(user), account.value.isUsable,
            account.value.links.contains(where: { $0.id == link && $0.state != .removing })
        else {
            // Whoever ended the link meanwhile may have looked for tokens too early.
            guard let kept = try await providerTokens.tokens(of: link, user) else { return }
            return try await takeBack(kept, user)
        }
    }

    /// Exchanges a kept code and keeps the refresh token that it brings. The provider says whose the code was: another
    /// person's is worth nothing here.
    /// - Returns: whether nothing is left to do.
    func exchange(_ call: ProviderCall) async throws -> Bool {
        guard let service = tokenServices[call.provider], let client = call.clientID,
            let code = providerCalls.code(of: call), let link = try await link(of: call)
        else { return true }
        let tokens = try await service.exchange(code, of: client)
        guard let refreshToken = tokens.refreshToken else { return true }
        guard let verifier = verifiers[call.provider], let idToken = tokens.idToken,
            let identity = try? await verifier.verify(idToken), try await accounts.isIdentity(identity, of: link)
        else {
            logger.warning("an authorization code was not that of the identity it came with")
            return true
        }
        try await keep(.init(clientID: client, refreshToken: refreshToken), of: call.provider, for: link.id, call.user)
        return true
    }

    /// The link of a call, `nil` once it is being ended.
    func link(of call: ProviderCall) async throws -> AccountLink? {
        guard let account = try await accounts.account(call.user), account.value.isUsable else { return nil }
        return account.value.links.first { $0.id == call.link && $0.state != .removing }
    }
}
