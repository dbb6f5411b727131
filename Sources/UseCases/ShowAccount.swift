import Accounts
import Foundation
import PhotolalaAPI
import Sessions
import StorageAccess

extension Services {
    /// Returns the caller's account with the display name and the last usage count.
    /// - Throws: `notFound` for another account.
    package func user(_ id: UserID, caller: Caller) async throws(ServiceError) -> User {
        guard id == caller.user else { throw .notFound }
        return try await mapServiceErrors { () async throws -> User in
            async let name = displayName(of: caller.account.value)
            async let usage = usage.last(of: id)
            async let lastUsed = self.lastUsed(by: id)
            return try show(
                caller.account.value, lastUsed: try await lastUsed, displayName: await name, usage: await usage
            )
        }
    }

    /// Returns the identities linked to the caller's account.
    package func linkedAccounts(_ caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try await linkedProviders(of: caller.account.value)
    }

    func linkedProviders(of account: AccountDocument) async throws(ServiceError) -> LinkedProviders {
        let lastUsed = try await mapServiceErrors { try await self.lastUsed(by: account.serviceUserID) }
        return LinkedProviders(linkedProviders: try show(account, lastUsed: lastUsed).linkedProviders)
    }

    /// Returns the links after a change. The change is already stored, so unreadable devices only leave out dates.
    func linkedProviders(after account: AccountDocument) async throws(ServiceError) -> LinkedProviders {
        let lastUsed = (try? await self.lastUsed(by: account.serviceUserID)) ?? [:]
        return LinkedProviders(linkedProviders: try show(account, lastUsed: lastUsed).linkedProviders)
    }

    /// Returns an account as its owner sees it.
    func show(
        _ account: AccountDocument, lastUsed: [LinkID: Date], displayName: String? = nil, usage: UsageDocument? = nil
    ) throws(ServiceError) -> User {
        let links = account.links.filter { $0.state != .removing }
        guard let primary = links.first(where: { $0.id == account.primaryLinkID }) else {
            throw .internal("account without a primary link")
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

    /// Returns the profile's name, or the name from the sign-up if there is no profile. An unreadable profile must not
    /// hide the account.
    private func displayName(of account: AccountDocument) async throws(ProfileError) -> String? {
        do {
            guard let found = try await profiles.load(account.serviceUserID) else { return accounts.name(of: account) }
            return found.profile.displayName
        } catch .unreadable {
            return nil
        }
    }

    /// Returns the last sign-in with each link, among the devices that are still listed.
    private func lastUsed(by user: UserID) async throws -> [LinkID: Date] {
        let sessions = try await listedDevices(of: user).compactMap(\.session)
        return Dictionary(sessions.map { ($0.link, $0.startedAt) }, uniquingKeysWith: max)
    }
}
