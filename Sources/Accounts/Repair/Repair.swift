import Foundation
import ObjectStorage
import PhotolalaAPI

/// Proves every account, link, claim and hint of a store against each other, and settles what acts left half done. Runs
/// beside a working service: it changes only by compare-and-swap, and takes nothing for left over that is younger than
/// the grace period.
///
/// First all claims, so that none stands in another's place, then all accounts. One object at a time: memory holds a page
/// of a listing.
package struct Repair: Sendable {
    let directory: AccountDirectory
    let isDry: Bool
    let report: @Sendable (RepairFinding) -> Void

    /// - Parameters:
    ///   - isDry: finds and changes nothing.
    ///   - report: gets each finding as soon as it is dealt with.
    package init(_ directory: AccountDirectory, isDry: Bool, report: @escaping @Sendable (RepairFinding) -> Void) {
        self.directory = directory
        self.isDry = isDry
        self.report = report
    }

    var store: any ObjectStore { directory.documents.store }

    /// Goes through the whole store.
    /// - Throws: when the store fails; what was settled by then stays settled, and another run goes on.
    package func run() async throws(AccountError) -> RepairSummary {
        var summary = RepairSummary()
        try await settleClaims(&summary)
        try await AccountFolders(store: store).forEach { (folder) throws(AccountError) in
            summary.accounts += 1
            try await settle(folder, &summary)
        }
        return summary
    }

    /// Goes through all claims and hints.
    func settleClaims(_ summary: inout RepairSummary) async throws(AccountError) {
        try await forEachClaim { (key, isHint) throws(AccountError) in
            if isHint { summary.hints += 1 } else { summary.claims += 1 }
            try await settleClaim(key, isHint, &summary)
        }
    }

    /// Reports a finding, after settling it where this is no dry run.
    func found(
        _ kind: RepairFinding.Kind, _ account: UserID?, _ object: ObjectKey? = nil, _ summary: inout RepairSummary,
        settle: (() async throws(AccountError) -> Bool)? = nil
    ) async throws(AccountError) {
        var isSettled = false
        if !isDry, let settle { isSettled = try await settle() }
        summary.findings += 1
        summary.settled += isSettled ? 1 : 0
        report(RepairFinding(kind: kind, account: account, object: object?.description, isSettled: isSettled))
    }

    /// Whether something is so old that no act can still be at work on it.
    func isOld(_ date: Date) -> Bool { date.addingTimeInterval(directory.repairGrace) < directory.now() }

    private func forEachClaim(
        _ act: (ObjectKey, Bool) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        var after: String?
        while true {
            let from = after
            let page = try await AccountError.storing { () throws(ObjectStoreError) in
                try await store.list(prefix: StorageLayout.identities, after: from, limit: 1000)
            }
            for object in page.objects {
                let isHint = object.key.description.utf8.starts(with: StorageLayout.emailHint("").utf8)
                try await act(object.key, isHint)
            }
            guard page.isTruncated, let last = page.objects.last else { return }
            after = last.key.description
        }
    }

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
