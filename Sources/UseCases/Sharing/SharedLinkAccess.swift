import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sharing

/// Decides whether shared links open.
package struct SharedLinkAccess: Sendable {
    let accounts: AccountDirectory
    let links: SharedLinks
    /// Whether the deployment has shared links.
    let isEnabled: Bool
    let now: @Sendable () -> Date

    /// Returns the link that a token opens; `nil` if it is unknown, has expired, is disabled, or its account is disabled
    /// or is being deleted. Two reads.
    func link(_ token: SharedLinkToken) async throws -> SharedLink? {
        guard isEnabled else { return nil }
        let (link, account) = try await accounts.documents.store.both(
            { try await links.link(token) }, { try await accounts.usableAccount(token.user) })
        return link.flatMap { opens($0, account) ? $0 : nil }
    }

    /// Returns the account of a link that opens. Two reads.
    func account(of id: SharedLinkID, _ user: UserID) async throws -> Stored<AccountDocument>? {
        guard isEnabled else { return nil }
        let (link, account) = try await accounts.documents.store.both(
            { try await links.link(id, of: user) }, { try await accounts.usableAccount(user) })
        return link.flatMap { opens($0, account) ? account : nil }
    }

    private func opens(_ link: SharedLink, _ account: Stored<AccountDocument>?) -> Bool {
        guard let account, account.value.state == .active, account.value.disabled == nil else { return false }
        return link.document.disabled == nil && !link.document.isExpired(at: now())
    }
}
