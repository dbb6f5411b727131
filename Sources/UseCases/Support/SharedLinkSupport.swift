import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sharing

/// An operator's actions on shared links, each with a reason that the account's audit log records.
package struct SharedLinkSupport: Sendable {
    let accounts: AccountDirectory
    let links: SharedLinks
    let now: @Sendable () -> Date

    package init(accounts: AccountDirectory, links: SharedLinks, now: @escaping @Sendable () -> Date) {
        (self.accounts, self.links, self.now) = (accounts, links, now)
    }

    /// A shared link as an operator sees it.
    package struct Report: Encodable, Sendable, Equatable {
        package let id: String
        package let title: String
        /// The album's id, for a link to an album.
        package let album: String?
        /// The number of photos, for a link to photos.
        package let photos: Int?
        package let createdAt: Date
        package let expiresAt: Date?
        package let hasPassword: Bool
        package let views: Int
        package let disabledAt: Date?
        package let disabledReason: String?

        init(_ link: SharedLink) {
            let (document, options) = (link.document, link.document.options)
            (id, title) = (link.id.description, options.title)
            (album, photos) =
                switch document.content {
                case .album(let id): (id, nil)
                case .photos(let photos): (nil, photos.count)
                }
            (createdAt, expiresAt) = (document.createdAt, options.expiresAt)
            (hasPassword, views) = (options.password != nil, document.views)
            (disabledAt, disabledReason) = (document.disabled?.since, document.disabled?.reason)
        }
    }

    /// Returns the shared links of an account, the newest first. A read, one listing and one read for each.
    /// - Throws: `notFound` if there is no such account.
    package func links(of user: UserID) async throws(ServiceError) -> [Report] {
        try await mapServiceErrors {
            _ = try await account(user)
            return try await links.all(of: user).map(Report.init)
        }
    }

    /// Returns the account and the shared link of an address, also if it has expired or is disabled.
    /// - Parameter address: The address of the link or of a page below it, or its token.
    package func find(_ address: String) async throws(ServiceError) -> (user: UserID, link: Report)? {
        let path = address.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0 != "?" && $0 != "#" }
        guard let token = path.split(separator: "/").lazy.compactMap({ SharedLinkToken(String($0)) }).first else {
            return nil
        }
        return try await mapServiceErrors {
            try await links.link(token).map { (token.user, Report($0)) }
        }
    }

    /// Disables a link: its address opens nothing until it is enabled. A disabled link stays as it is.
    /// - Throws: `notFound`.
    package func disable(_ id: SharedLinkID, of user: UserID, reason: OperatorReason) async throws(ServiceError) {
        try await mapServiceErrors {
            let account = try await account(user)
            guard try await links.link(id, of: user)?.document.disabled == nil else { return }
            let disabled = SharedLinkDocument.Disabled(since: now(), reason: reason.text)
            // Recorded afterwards: the log must not say that a link is disabled that still opens.
            try await links.change(id, of: user) { $0.disabled = $0.disabled ?? disabled }
            _ = try await accounts.recordSharedLink(.sharedLinkDisabled, of: account, reason: reason)
        }
    }

    /// Enables a disabled link.
    /// - Throws: `notFound`.
    package func enable(_ id: SharedLinkID, of user: UserID, reason: OperatorReason) async throws(ServiceError) {
        try await mapServiceErrors {
            let account = try await account(user)
            guard let link = try await links.link(id, of: user) else { throw ServiceError.notFound }
            guard link.document.disabled != nil else { return }
            _ = try await accounts.recordSharedLink(.sharedLinkEnabled, of: account, reason: reason)
            try await links.change(id, of: user) { $0.disabled = nil }
        }
    }

    private func account(_ user: UserID) async throws -> Stored<AccountDocument> {
        guard let account = try await accounts.usableAccount(user) else { throw ServiceError.notFound }
        return account
    }
}
