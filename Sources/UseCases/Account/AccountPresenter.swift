import Accounts
import Foundation
import PhotolalaAPI
import StorageAccess

/// Presents accounts to their owners.
struct AccountPresenter: Sendable {
    let accounts: AccountDirectory
    let tiers: Tiers
    let deviceList: DeviceList

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
            storageUsed: usage?.bytes, storageCountedAt: usage?.countedAt, deletion: account.shownDeletion
        )
    }

    /// Returns the last sign-in with each link, among the devices that are still listed.
    func lastUsed(by user: UserID) async throws -> [LinkID: Date] {
        let sessions = try await deviceList.listedDevices(of: user).compactMap(\.session)
        return Dictionary(sessions.map { ($0.link, $0.startedAt) }, uniquingKeysWith: max)
    }
}
