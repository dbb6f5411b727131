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
            async let name = displayName(of: caller.account.value)
            async let usage = usage.last(of: id)
            async let lastUsed = self.lastUsed(by: id)
            return try show(
                caller.account.value, lastUsed: try await lastUsed, displayName: await name, usage: await usage
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
        _ account: AccountDocument, lastUsed: [LinkID: Date], displayName: String? = nil, usage: UsageDocument? = nil
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
                    isPrimary: link.id == account.primaryLinkID,
                    state: link.pendingUnlink == nil ? link.state : .removing,
                    unlinksAt: link.pendingUnlink?.effectiveAt
                )
            },
            displayName: displayName, createdAt: account.createdAt,
            subscription: tiers.subscription(of: account),
            storageUsed: usage?.bytes, storageCountedAt: usage?.countedAt
        )
    }

    /// The profile's name, or before there is one the name that came with the sign-up. What its owner wrote there must
    /// not hide the account.
    private func displayName(of account: AccountDocument) async throws(ProfileError) -> String? {
        do {
            guard let found = try await profiles.load(account.serviceUserID) else { return accounts.name(of: account) }
            return found.profile.displayName
        } catch .unreadable {
            return nil
        }
    }

    /// The last sign-in with each link on a device that is still listed.
    private func lastUsed(by user: UserID) async throws -> [LinkID: Date] {
        let sessions = try await listedDevices(of: user).compactMap(\.session)
        return Dictionary(sessions.map { ($0.link, $0.startedAt) }, uniquingKeysWith: max)
    }
}
