import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Verifies every account, link, binding and hint of a store against each other, and completes interrupted operations.
/// Runs beside a working service: it changes objects only by compare-and-swap, and does not treat anything younger than
/// the grace period as left over.
///
/// Processes all bindings first, so that no stale one occupies a key, then all accounts. Memory holds a page of a
/// listing and the items in progress.
package struct Repair: Sendable {
    let directory: AccountDirectory
    let isDryRun: Bool
    private let concurrency: Int
    private let startedAt: Date
    let report: @Sendable (RepairFinding) -> Void

    /// - Parameters:
    ///   - isDryRun: reports findings and changes nothing.
    ///   - concurrency: how many bindings, and then accounts, are processed at once; each has one request in flight.
    ///   - report: receives each finding after it was handled; called concurrently and in no order.
    package init(
        _ directory: AccountDirectory, isDryRun: Bool, concurrency: Int = 16,
        report: @escaping @Sendable (RepairFinding) -> Void
    ) {
        self.directory = directory
        self.isDryRun = isDryRun
        self.concurrency = max(1, concurrency)
        startedAt = directory.now()
        self.report = report
    }

    var store: any ObjectStore { directory.documents.store }

    /// Processes the whole store.
    /// - Throws: if the store fails; completed repairs stay, and another run continues.
    package func run() async throws(AccountError) -> RepairSummary {
        let erased = try await directory.erasures.erasedAccounts()
        var summary = try await reconcileBindings()
        summary += try await reconcileEach(of: AccountFolders(store)) { (folder, summary) throws(AccountError) in
            summary.accounts += 1
            try await reconcileAccount(folder, erased, &summary)
        }
        return summary
    }

    /// Processes all bindings and hints.
    func reconcileBindings() async throws(AccountError) -> RepairSummary {
        try await reconcileEach(of: Listing(store, prefix: StorageLayout.identities)) {
            (object, summary) throws(AccountError) in
            let isHint = object.key.description.utf8.starts(with: StorageLayout.emailHint("").utf8)
            if isHint { summary.hints += 1 } else { summary.claims += 1 }
            try await reconcileBinding(object.key, isHint, &summary)
        }
    }

    /// Processes every item of a listing, up to `concurrency` concurrently.
    private func reconcileEach<Items: RepairItems>(
        of items: Items,
        by body: @escaping @Sendable (Items.Item, inout RepairSummary) async throws(AccountError) -> Void
    ) async throws(AccountError) -> RepairSummary {
        try await withTaskGroup(of: Result<RepairSummary, AccountError>.self) { group in
            var (items, running, summary) = (items, 0, RepairSummary())
            do throws(AccountError) {
                while let item = try await items.next() {
                    if running == concurrency, let result = await group.next() {
                        summary += try result.get()
                        running -= 1
                    }
                    group.addTask { await Self.result(of: item, by: body) }
                    running += 1
                }
                while let result = await group.next() { summary += try result.get() }
                return Result<RepairSummary, AccountError>.success(summary)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }.get()
    }

    private static func result<Item>(
        of item: Item, by body: (Item, inout RepairSummary) async throws(AccountError) -> Void
    ) async -> Result<RepairSummary, AccountError> {
        var summary = RepairSummary()
        do {
            try await body(item, &summary)
            return .success(summary)
        } catch {
            return .failure(error)
        }
    }

    /// Reports a finding, after repairing it unless this is a dry run.
    func handleFinding(
        _ kind: RepairFinding.Kind, _ account: UserID?, _ object: ObjectKey? = nil, _ summary: inout RepairSummary,
        body: (() async throws(AccountError) -> Bool)? = nil
    ) async throws(AccountError) {
        var isSettled = false
        if !isDryRun, let body {
            do {
                isSettled = try await body()
            } catch {
                // Only an error of the store ends a repair. Items that are changed concurrently, or damaged in another
                // way, stay unsettled.
                if case .store = error { throw error }
            }
        }
        summary.findings += 1
        summary.settled += isSettled ? 1 : 0
        report(RepairFinding(kind: kind, account: account, object: object?.description, isSettled: isSettled))
    }

    /// Returns whether a date was so old when the repair began that no operation can still be working on the item.
    /// Comparing with the current time would be wrong: what was missing when it was looked up may have been written
    /// since.
    func isPastGracePeriod(_ date: Date) -> Bool { date.addingTimeInterval(directory.repairGracePeriod) < startedAt }

    /// Removes a binding or hint that no account lists.
    private func reconcileBinding(
        _ key: ObjectKey, _ isHint: Bool, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        let binding: Stored<IdentityBinding>
        do {
            guard let found = try await directory.bindings.read(key) else { return }
            binding = found
        } catch .corrupted {
            return try await handleFinding(isHint ? .hintUnreadable : .claimUnreadable, nil, key, &summary)
        }
        let account: Stored<AccountDocument>?
        do {
            account = try await directory.account(binding.value.user)
        } catch .corrupted {
            // Reported with the accounts.
            return
        }
        guard let account else {
            return try await handleFinding(
                isHint ? .hintStale : .claimWithoutAccount, binding.value.user, key, &summary
            ) {
                () throws(AccountError) in
                guard isHint else { return false }
                try await directory.bindings.remove(binding, at: key)
                return true
            }
        }
        guard !account.value.lists(binding.value, at: isHint ? nil : key) else { return }
        try await handleFinding(isHint ? .hintStale : .claimNotListed, binding.value.user, key, &summary) {
            () throws(AccountError) in
            try await directory.bindings.remove(binding, at: key)
            return true
        }
    }
}
