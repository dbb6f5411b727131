import Accounts
import Foundation
import PhotolalaAPI
import Sessions
import StorageAccess

extension Services {
    /// The caller's account with its profile's name and the last count. Another's is not found.
    package func user(_ id: UserID, caller: Caller) async throws(FlowError) -> User {
        guard id == caller.user else { throw .notFound }
        return try await step { () async throws -> User in
            async let profile = readableProfile(of: id)
            async let usage = usage.last(of: id)
            async let lastUsed = self.lastUsed(by: id)
            return try show(
                caller.account.value, lastUsed: try await lastUsed, profile: await profile, usage: await usage
            )
        }
    }

    /// The identities that open the caller's account.
    package func linkedAccounts(_ caller: Caller) async throws(FlowError) -> LinkedProviders {
        try await linkedProviders(of: caller.account.value)
    }

    func linkedProviders(of account: AccountDocument) async throws(FlowError) -> LinkedProviders {
        let lastUsed = try await step { try await self.lastUsed(by: account.serviceUserID) }
        return LinkedProviders(linkedProviders: try show(account, lastUsed: lastUsed).linkedProviders)
    }

    /// The links after an act on them: the act stands, so that the devices cannot be read only leaves dates out.
    func linkedProviders(after account: AccountDocument) async throws(FlowError) -> LinkedProviders {
        let lastUsed = (try? await self.lastUsed(by: account.serviceUserID)) ?? [:]
        return LinkedProviders(linkedProviders: try show(account, lastUsed: lastUsed).linkedProviders)
    }

    /// An account as its owner sees it.
    func show(
        _ account: AccountDocument, lastUsed: [LinkID: Date], profile: Profile? = nil, usage: UsageDocument? = nil
    ) throws(FlowError) -> User {
        let links = account.links.filter { $0.state != .removing }
        guard let primary = links.first(where: { $0.id == account.primaryLinkID }) else {
            throw .internal("the account has no primary link")
        }
        return User(
            serviceUserID: account.serviceUserID, primaryProvider: primary.provider,
            linkedProviders: links.map { link in
                LinkedProvider(
                    linkID: link.id, provider: link.provider,
                    email: accounts.email(of: link, user: account.serviceUserID), linkedAt: link.linkedAt,
                    lastUsedAt: lastUsed[link.id], linkMethod: link.method,
                    isPrimary: link.id == account.primaryLinkID, state: link.state
                )
            },
            displayName: profile?.displayName, createdAt: account.createdAt,
            subscription: Subscription(tier: account.tier, storageLimit: account.storageLimit),
            storageUsed: usage?.bytes, storageCountedAt: usage?.countedAt
        )
    }

    /// The profile, where there is one that can be read: what its owner wrote there must not hide the account.
    private func readableProfile(of user: UserID) async throws(ProfileError) -> Profile? {
        do {
            return try await profiles.load(user)?.profile
        } catch .unreadable {
            return nil
        }
    }

    /// The last sign-in with each link on a device that is still listed.
    private func lastUsed(by user: UserID) async throws -> [LinkID: Date] {
        let sessions = try await sessions.devices.devices(of: user).compactMap(\.session)
        return Dictionary(sessions.map { ($0.link, $0.startedAt) }, uniquingKeysWith: max)
    }
}
