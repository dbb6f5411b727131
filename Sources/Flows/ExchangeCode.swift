import Accounts
import ObjectStorage
import PhotolalaAPI

extension Services {
    /// Keeps the code that a proof came with, to be exchanged for the provider's tokens. One write; nobody waits for the
    /// provider, and a code that cannot be kept keeps nobody out.
    func keepCode(of proven: ProvenIdentity, for found: FoundAccount) async {
        let identity = proven.identity
        guard let code = proven.authorizationCode, let client = identity.clientID,
            tokenServices[identity.provider]?.serves(client) == true
        else { return }
        do {
            try await providerCalls.exchange(
                code, of: client, at: identity.provider, for: found.link.id, found.account.value.serviceUserID
            )
        } catch {
            logger.error("an authorization code was not kept", metadata: ["reason": "\(error)"])
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
        try await providerTokens.keep(
            .init(clientID: client, refreshToken: refreshToken), of: call.provider, link: link.id, user: call.user,
            at: now()
        )
        // Whoever ended the link meanwhile may have looked for tokens too early.
        return try await self.link(of: call) == nil ? try await takeBack(call) : true
    }

    /// The link of a call, `nil` once it is being ended.
    func link(of call: ProviderCall) async throws -> AccountLink? {
        guard let account = try await accounts.account(call.user), account.value.isUsable else { return nil }
        return account.value.links.first { $0.id == call.link && $0.state != .removing }
    }
}
