import Foundation
import ObjectStorage
import PhotolalaAPI

/// Proves every account, link, claim and hint of a store against each other, and settles what acts left half done. Runs
/// beside a working service: it changes only by compare-and-swap, and takes nothing for left over that is younger than
/// the grace period.
///
/// First all claims, so that none stands in another's place, then all accounts. Memory holds a page of a listing and the
/// few things that are looked at together.
package struct Repair: Sendable {
    let directory: AccountDirectory
    let isDry: Bool
    private let atOnce: Int
    private let begunAt: Date
    let report: @Sendable (RepairFinding) -> Void

    /// - Parameters:
    ///   - isDry: finds and changes nothing.
    ///   - atOnce: how many claims, and then accounts, are looked at together; each has one request under way.
    ///   - report: gets each finding as soon as it is dealt with, several at the same time and in no order.
    package init(
        _ directory: AccountDirectory, isDry: Bool, atOnce: Int = 16,
        report: @escaping @Sendable (RepairFinding) -> Void
    ) {
        self.directory = directory
        self.isDry = isDry
        self.atOnce = max(1, atOnce)
        begunAt = directory.now()
        self.report = report
    }

    var store: any ObjectStore { directory.documents.store }

    /// Goes through the whole store.
    /// - Throws: when the store fails; what was settled by then stays settled, and another run goes on.
    package func run() async throws(AccountError) -> RepairSummary {
        var summary = try await settleClaims()
        summary += try await settleEach(of: AccountFolders(store)) { (folder, summary) throws(AccountError) in
            summary.accounts += 1
            try await settle(folder, &summary)
        }
        return summary
    }

    /// Goes through all claims and hints.
    func settleClaims() async throws(AccountError) -> RepairSummary {
        try await settleEach(of: Listing(store, prefix: StorageLayout.identities)) {
            (object, summary) throws(AccountError) in
            let isHint = object.key.description.utf8.starts(with: StorageLayout.emailHint("").utf8)
            if isHint { summary.hints += 1 } else { summary.claims += 1 }
            try await settleClaim(object.key, isHint, &summary)
        }
    }

    /// Settles everything that a listing gives, as many at a time as may be.
    private func settleEach<Items: RepairItems>(
        of items: Items,
        by settle: @escaping @Sendable (Items.Item, inout RepairSummary) async throws(AccountError) -> Void
    ) async throws(AccountError) -> RepairSummary {
        try await withTaskGroup(of: Result<RepairSummary, AccountError>.self) { group in
            var (items, running, summary) = (items, 0, RepairSummary())
            do throws(AccountError) {
                while let item = try await items.next() {
                    if running == atOnce, let settled = await group.next() {
                        summary += try settled.get()
                        running -= 1
                    }
                    group.addTask { await Self.result(of: item, by: settle) }
                    running += 1
                }
                while let settled = await group.next() { summary += try settled.get() }
                return Result<RepairSummary, AccountError>.success(summary)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }.get()
    }

    private static func result<Item>(
        of item: Item, by settle: (Item, inout RepairSummary) async throws(AccountError) -> Void
    ) async -> Result<RepairSummary, AccountError> {
        var summary = RepairSummary()
        do {
            try await settle(item, &summary)
            return .success(summary)
        } catch {
            return .failure(error)
        }
    }

    /// Reports a finding, after settling it where this is no dry run.
    func found(
        _ kind: RepairFinding.Kind, _ account: UserID?, _ object: ObjectKey? = nil, _ summary: inout RepairSummary,
        settle: (() async throws(AccountError) -> Bool)? = nil
    ) async throws(AccountError) {
        var isSettled = false
        if !isDry, let settle {
            do {
                isSettled = try await settle()
            } catch {
                // Only the store's own failure ends a repair: what others are changing, or is damaged besides, stays found.
                if case .store = error { throw error }
            }
        }
        summary.findings += 1
        summary.settled += isSettled ? 1 : 0
        report(RepairFinding(kind: kind, account: account, object: object?.description, isSettled: isSettled))
    }

    /// Whether something was so old when the repair began that no act can still be at work on it. By the time now, what
    /// was missing when it was looked for could have come since.
    func isOld(_ date: Date) -> Bool { date.addingTimeInterval(directory.repairGrace) < begunAt }

    /// A claim or a hint that nobody lists is left over.
    private func settleClaim(
        _ key: ObjectKey, _ isHint: Bool, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        let claim: Stored<Claim>
        do {
            guard let found = try await directory.claims.read(key) else { return }
            claim = found
        } catch .corrupted {
            return try await found(isHint ? .hintUnreadable : .claimUnreadable, nil, key, &summary)
        }
        let account: Stored<AccountDocument>?
        do {
            account = try await directory.account(claim.value.user)
        } catch .corrupted {
            // Reported with the accounts.
            return
        }
        guard let account else {
            return try await found(isHint ? .hintStale : .claimWithoutAccount, claim.value.user, key, &summary) {
                () throws(AccountError) in
                guard isHint else { return false }
                try await directory.claims.remove(claim, at: key)
                return true
            }
        }
        guard !account.value.lists(claim.value, at: isHint ? nil : key) else { return }
        try await found(isHint ? .hintStale : .claimNotListed, claim.value.user, key, &summary) {
            () throws(AccountError) in
            try await directory.claims.remove(claim, at: key)
            return true
        }
    }
}
