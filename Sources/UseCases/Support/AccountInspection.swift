import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sessions
import Subscriptions

/// What an operator reads about accounts. Changes nothing.
package struct AccountInspection: Sendable {
    /// The most accounts on a page.
    package static let maximumPage = 200
    /// The most audit entries on a page.
    package static let maximumHistoryPage = 200
    /// The number of audit entries in a report.
    private static let reportedEntries = 10

    let accounts: AccountDirectory
    let devices: DeviceDirectory
    let tiers: Tiers
    let now: @Sendable () -> Date

    package init(
        accounts: AccountDirectory, devices: DeviceDirectory, tiers: Tiers, now: @escaping @Sendable () -> Date
    ) {
        (self.accounts, self.devices, self.tiers, self.now) = (accounts, devices, tiers, now)
    }

    /// Some accounts.
    package struct Page: Encodable, Sendable {
        /// In the order of their ids.
        package let accounts: [UserID]
        /// The last id if there are more accounts, for `after` of the next page.
        package let next: UserID?
    }

    /// A part of an account's audit log with what proves it: each entry's `previousHash` is the hash of the entry before
    /// it, and `head` that of the last one, which the service sealed.
    package struct History: Encodable, Sendable {
        package struct Entry: Encodable, Sendable {
            package let line: AuditLine
            package let hash: String
            package let previousHash: String

            package func encode(to encoder: any Encoder) throws {
                try line.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(hash, forKey: .hash)
                try container.encode(previousHash, forKey: .previousHash)
            }

            private enum CodingKeys: CodingKey { case hash, previousHash }
        }

        /// The number of entries in the whole log.
        package let entries: Int
        package let head: String
        /// Whether `head` is sealed by this service with a configured key.
        package let isProven: Bool
        /// The newest first. Lost entries are omitted.
        package let page: [Entry]
        /// For `before` of the next page; `nil` at the beginning of the log.
        package let next: Int?
    }

    /// Returns a report on an account; `nil` if there is none. Reads the account, its devices and its last 10 audit
    /// entries.
    package func report(on user: UserID) async throws -> AccountReport? {
        guard let account = try await accounts.account(user)?.value else { return nil }
        return try await report(on: account)
    }

    /// Returns a report on an account that was read.
    package func report(on account: AccountDocument) async throws -> AccountReport {
        let keyRing = accounts.keyRing
        let logNames = Dictionary(
            uniqueKeysWithValues: try keyRing.keyIDs.map {
                ($0, try keyRing.accountHash(of: account.serviceUserID.uuid, keyID: $0))
            })
        return AccountReport(
            account, logNames: logNames, tier: tiers.tier(of: account),
            devices: try await devices.devices(of: account.serviceUserID),
            arrival: try await accounts.requestedMove(to: account),
            entries: try await accounts.history(of: account, before: nil, limit: Self.reportedEntries), at: now())
    }

    /// Returns a page of an account's audit log; `nil` if there is no account. One read per entry.
    /// - Parameters:
    ///   - before: only entries with a smaller sequence; `nil` for the newest.
    ///   - limit: 1 to `maximumHistoryPage`.
    package func history(of user: UserID, before: Int?, limit: Int) async throws -> History? {
        guard let account = try await accounts.account(user)?.value else { return nil }
        let limit = min(max(limit, 1), Self.maximumHistoryPage)
        let entries = try await accounts.history(of: account, before: before, limit: limit)
        // Also right for a page whose entries are lost.
        let first = min(before ?? .max, account.audit.sequence + 1) - limit
        return History(
            entries: account.audit.sequence, head: account.audit.hash,
            isProven: accounts.hasAuthenticAuditHead(account),
            page: try entries.map { entry in
                History.Entry(
                    line: AuditLine(entry), hash: AuditEntry.hash(of: try entry.encoded()),
                    previousHash: entry.previousHash)
            },
            next: first > 1 ? first : nil)
    }

    /// Returns a page of all accounts. One listing per account, so that the objects of large accounts cost nothing.
    /// - Parameters:
    ///   - after: only accounts with a larger id; `nil` for the first.
    ///   - limit: 1 to `maximumPage`.
    package func accounts(after: UserID?, limit: Int) async throws(ObjectStoreError) -> Page {
        var (found, last) = ([UserID](), after.map { "\(StorageLayout.account($0))\u{7f}" })
        let limit = min(max(limit, 1), Self.maximumPage)
        while found.count <= limit {
            let page = try await accounts.documents.store.list(
                prefix: StorageLayout.accounts, after: last, limit: 1)
            guard let key = page.objects.first?.key.description.dropFirst(StorageLayout.accounts.count) else { break }
            let folder = key.prefix { $0 != "/" }
            last = "\(StorageLayout.accounts)\(folder)/\u{7f}"
            if let user = UserID(String(folder)) { found.append(user) }
        }
        return Page(
            accounts: Array(found.prefix(limit)), next: found.count > limit ? found[limit - 1] : nil)
    }
}
