import Accounts
import ObjectStorage
import PhotolalaAPI
import Synchronization

extension IdentityRekeying {
    /// Reads every account with its links' bindings, then every binding with its account. Changes nothing.
    func verify(_ resolver: BindingKeyResolver) async throws(RekeyingError) -> RekeyingSummary {
        var summary = RekeyingSummary()
        try await mapAccountErrors { () throws(AccountError) in
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() {
                summary.accounts += 1
                try await verifyAccount(folder, resolver, &summary)
            }
            try await verifyBindings(&summary)
        }
        return summary
    }

    private func verifyAccount(
        _ folder: AccountFolder, _ resolver: BindingKeyResolver, _ summary: inout RekeyingSummary
    ) async throws(AccountError) {
        let account: Stored<AccountDocument>
        do {
            guard let found = try await directory.account(folder.user) else {
                // A document that was listed and is gone belongs to a sign-up that lost its race.
                if folder.documentWrittenAt == nil { reportProblem(.accountLost, folder.user, nil, &summary) }
                return
            }
            account = found
        } catch .corrupted {
            return reportProblem(.accountUnreadable, folder.user, AccountDirectory.key(folder.user), &summary)
        }
        guard account.value.isUsable else { return }
        for link in account.value.links where link.state != .removing {
            summary.links += 1
            do {
                try await verifyLink(link, folder.user, resolver, &summary)
            } catch .corrupted {
                reportProblem(.claimUnreadable, folder.user, link.bindingKeys.key, &summary)
            }
        }
    }

    private func verifyLink(
        _ link: AccountLink, _ user: UserID, _ resolver: BindingKeyResolver, _ summary: inout RekeyingSummary
    ) async throws(AccountError) {
        guard let subject = directory.subject(of: link, user: user) else {
            return reportProblem(.subjectUnreadable, user, link.bindingKeys.key, &summary)
        }
        let both = try resolver.bothKeys(link.provider, subject)
        let names = resolver.activeKeys(both)
        guard link.matches(both) else { return reportProblem(.linkNameLeft, user, link.bindingKeys.key, &summary) }
        let own = IdentityBinding(user: user, link: link.id)
        var isClaimed = true
        for (index, key) in names.keys.enumerated() {
            let binding = try await directory.bindings.read(key)?.value
            guard binding != own || !link.bindingKeys.keys.contains(key) else { continue }
            // A link with its first key waits for the second, unless another link has that.
            let isTaken = binding != own ? try await isListed(binding, at: key) : false
            if binding != own, index == 0 || isTaken {
                return try recordMissingBinding(link, of: user, isTaken: isTaken, at: key, &summary)
            }
            isClaimed = false
        }
        if isClaimed { summary.claimed += 1 } else { summary.remaining += 1 }
    }

    /// Reports a link whose binding is missing or belongs to another account. It is a loss only if the link ever had
    /// one.
    private func recordMissingBinding(
        _ link: AccountLink, of user: UserID, isTaken: Bool, at key: ObjectKey, _ summary: inout RekeyingSummary
    ) throws(AccountError) {
        // A sign-up may be about to write it, under all keys in force.
        let isOld = link.linkedAt.addingTimeInterval(directory.repairGracePeriod) < directory.now()
        guard link.state == .active, isOld || isTaken else { return summary.unclaimed += 1 }
        guard isTaken else { return reportProblem(.claimMissing, user, key, &summary) }
        summary.unclaimed += 1
        report(RepairFinding(kind: .claimTaken, account: user, object: key.description, isSettled: false))
    }

    /// Returns whether the account of a binding lists it.
    private func isListed(_ binding: IdentityBinding?, at key: ObjectKey) async throws(AccountError) -> Bool {
        guard let binding else { return false }
        return try await directory.account(binding.user)?.value.lists(binding, at: key) ?? false
    }

    private func verifyBindings(_ summary: inout RekeyingSummary) async throws(AccountError) {
        let damaged = Mutex(0)
        let harmless: Set<RepairFinding.Kind> = [.claimNotListed, .hintStale, .hintUnreadable]
        let repair = Repair(directory, isDryRun: true) { finding in
            if !harmless.contains(finding.kind) { damaged.withLock { $0 += 1 } }
            report(finding)
        }
        summary.claims = try await repair.reconcileBindings().claims
        summary.damagedClaims = damaged.withLock { $0 }
    }

    /// Removes bindings that no account lists under their keys.
    func removeUnlistedBindings() async throws(RekeyingError) {
        let repair = Repair(directory, isDryRun: false) { finding in
            // The verification reports everything else.
            if finding.isSettled { report(finding) }
        }
        try await mapAccountErrors { () throws(AccountError) in
            _ = try await repair.reconcileBindings()
        }
    }

    private func reportProblem(
        _ kind: RepairFinding.Kind, _ user: UserID, _ key: ObjectKey?, _ summary: inout RekeyingSummary
    ) {
        summary.problems += 1
        report(RepairFinding(kind: kind, account: user, object: key?.description, isSettled: false))
    }
}
