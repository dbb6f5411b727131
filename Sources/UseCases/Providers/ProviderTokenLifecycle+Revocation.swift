import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension ProviderTokenLifecycle {
    /// How long a scheduled revocation waits for its link to be removed, in seconds.
    private static let unlinkTimeout: TimeInterval = 600

    /// Schedules the revocation of a link's tokens before the link is removed. One read, and one write if there are
    /// tokens.
    func scheduleRevocation(of id: LinkID, in account: AccountDocument) async throws(ServiceError) -> Stored<
        ProviderCall
    >? {
        guard let link = account.links.first(where: { $0.id == id }), tokenServices[link.provider] != nil else {
            return nil
        }
        return try await mapServiceErrors {
            guard try await providerTokens.tokens(of: id, account.serviceUserID) != nil else { return nil }
            return try await providerCalls.enqueueRevocation(at: link.provider, link: id, account.serviceUserID)
        }
    }

    /// Makes a scheduled revocation due, once its link is removed.
    func makeDue(_ revocation: Stored<ProviderCall>) { providerCalls.makeDue(revocation) }

    /// Revokes the provider tokens of a removed link. An active link keeps its tokens.
    /// - Returns: whether the call is done.
    func revoke(_ call: ProviderCall) async throws -> Bool {
        guard try await currentLink(of: call) == nil else {
            return now() > call.createdAt.addingTimeInterval(Self.unlinkTimeout)
        }
        return try await revokeTokens(of: call)
    }

    private func revokeTokens(of call: ProviderCall) async throws -> Bool {
        guard let stored = try await providerTokens.tokens(of: call.link, call.user) else { return true }
        try await revokeTokens(stored, call.user)
        return true
    }

    /// Revokes a link's tokens at the provider, then deletes them. Tokens that cannot be revoked are kept.
    func revokeTokens(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws {
        guard let service = tokenServices[stored.value.provider] else { return }
        for token in try providerTokens.open(stored.value, user) {
            guard service.serves(token.clientID) else {
                throw ProviderTokenError.misconfigured("no key for the client")
            }
            try await service.revoke(token.refreshToken, of: token.clientID)
        }
        try await providerTokens.remove(stored, user)
    }
}
