import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Services {
    /// How long a scheduled revocation waits for its link to be removed, in seconds.
    private static let unlinkingTime: TimeInterval = 600

    /// Schedules the revocation of a link's tokens before the link is removed. One read, and one write if there are
    /// tokens.
    func keepRevocation(of id: LinkID, in account: AccountDocument) async throws(FlowError) -> Stored<ProviderCall>? {
        guard let link = account.links.first(where: { $0.id == id }), tokenServices[link.provider] != nil else {
            return nil
        }
        return try await step {
            guard try await providerTokens.tokens(of: id, account.serviceUserID) != nil else { return nil }
            return try await providerCalls.revoke(at: link.provider, link: id, account.serviceUserID)
        }
    }

    /// Revokes the provider tokens of a removed link. An active link keeps its tokens.
    /// - Returns: whether the call is done.
    func revoke(_ call: ProviderCall) async throws -> Bool {
        guard try await link(of: call) == nil else {
            return now() > call.createdAt.addingTimeInterval(Self.unlinkingTime)
        }
        return try await takeBack(call)
    }

    func takeBack(_ call: ProviderCall) async throws -> Bool {
        guard let stored = try await providerTokens.tokens(of: call.link, call.user) else { return true }
        try await takeBack(stored, call.user)
        return true
    }

    /// Revokes a link's tokens at the provider, then deletes them. Tokens that cannot be revoked are kept.
    func takeBack(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws {
        guard let service = tokenServices[stored.value.provider] else { return }
        for token in try providerTokens.open(stored.value, user) {
            guard service.serves(token.clientID) else { throw ProviderTokenError.misconfigured("no key of the client") }
            try await service.revoke(token.refreshToken, of: token.clientID)
        }
        try await providerTokens.remove(stored, user)
    }
}
