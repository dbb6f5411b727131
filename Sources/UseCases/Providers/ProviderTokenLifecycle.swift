import Accounts
import Foundation
import Logging
import Monitoring
import PhotolalaAPI

/// Stores, exchanges and revokes the providers' tokens of linked identities.
struct ProviderTokenLifecycle: Sendable {
    let accounts: AccountDirectory
    let tokenServices: [ProviderName: any ProviderTokenService]
    let verifiers: [ProviderName: any IdentityTokenVerifier]
    let providerTokens: ProviderTokens
    let providerCalls: ProviderCalls
    let now: @Sendable () -> Date
    let logger: Logger

    /// Stores the provider's refresh token of a sign-in, or schedules the exchange of its authorization code. A failure
    /// does not block the sign-in. One write for a code, which is exchanged in the background; two reads and one write
    /// for a token.
    func storeTokens(of verified: VerifiedSignIn, for found: FoundAccount) async {
        let (identity, user) = (verified.identity, found.account.value.serviceUserID)
        guard let client = identity.clientID, tokenServices[identity.provider]?.serves(client) == true else { return }
        do {
            if let token = verified.refreshToken {
                try await storeToken(
                    .init(clientID: client, refreshToken: token), of: identity.provider, for: found.link.id, user)
            } else if let code = verified.authorizationCode {
                try await providerCalls.enqueueExchange(
                    code, of: client, at: identity.provider, for: found.link.id, user)
            }
        } catch {
            logger.error(
                .providerTokenNotStored, "storing a provider token or code failed", metadata: ["reason": "\(error)"])
        }
    }

    private func storeToken(
        _ token: ProviderTokens.OpenedToken, of provider: ProviderName, for link: LinkID, _ user: UserID
    ) async throws {
        try await providerTokens.store(token, of: provider, link: link, user: user, at: now())
        guard let account = try await accounts.account(user), account.value.isUsable,
            account.value.links.contains(where: { $0.id == link && $0.state != .removing })
        else {
            // A concurrent unlinking may have looked for tokens before this write.
            guard let kept = try await providerTokens.tokens(of: link, user) else { return }
            return try await revokeTokens(kept, user)
        }
    }

    /// Exchanges a stored authorization code and stores the resulting refresh token. The ID token must name the link's
    /// identity; a code of another person is ignored.
    /// - Returns: whether the call is done.
    func exchange(_ call: ProviderCall) async throws -> Bool {
        guard let service = tokenServices[call.provider], let client = call.clientID,
            let code = providerCalls.code(of: call), let link = try await currentLink(of: call)
        else { return true }
        let tokens = try await service.exchange(code, of: client)
        guard let refreshToken = tokens.refreshToken else { return true }
        guard let verifier = verifiers[call.provider], let idToken = tokens.idToken,
            let identity = try? await verifier.verify(idToken), try await accounts.isIdentity(identity, of: link)
        else {
            logger.warning(.providerCodeMisused, "authorization code belongs to another identity")
            return true
        }
        try await storeToken(
            .init(clientID: client, refreshToken: refreshToken), of: call.provider, for: link.id, call.user)
        return true
    }

    /// Returns the link of a call, or `nil` if it is being removed.
    func currentLink(of call: ProviderCall) async throws -> AccountLink? {
        guard let account = try await accounts.account(call.user), account.value.isUsable else { return nil }
        return account.value.links.first { $0.id == call.link && $0.state != .removing }
    }
}
