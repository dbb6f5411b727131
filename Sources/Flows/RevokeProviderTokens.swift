import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Services {
    /// How long a kept revocation waits for its link to end, in seconds.
    private static let unlinkingTime: TimeInterval = 600

    /// Keeps that a link's tokens be taken back, before the link is ended. One read, and one write where there are any.
    func keepRevocation(of id: LinkID, in account: AccountDocument) async throws(FlowError) -> Stored<ProviderCall>? {
        guard let link = account.links.first(where: { $0.id == id }), tokenServices[link.provider] != nil else {
            return nil
        }
        return try await step {
            guard try await providerTokens.tokens(of: id, account.serviceUserID) != nil else { return nil }
            return try await providerCalls.revoke(at: link.provider, link: id, account.serviceUserID)
        }
    }

    /// Takes back what the provider gave for a link that was ended. A link that is in force keeps its tokens.
    /// - Returns: whether nothing is left to do.
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

    /// Gives a link's tokens back to the provider, then forgets them. Those that cannot be given back are kept.
    func takeBack(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws {
        guard let service = tokenServices[stored.value.provider] else { return }
        for token in try providerTokens.open(stored.value, user) {
            guard service.serves(token.clientID) else { throw ProviderTokenError.misconfigured("no key of the client") }
            try await service.revoke(token.refreshToken, of: token.clientID)
        }
        try await providerTokens.remove(stored, user)
    }
}
