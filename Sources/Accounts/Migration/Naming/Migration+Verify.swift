import ObjectStorage
import PhotolalaAPI
import Synchronization

extension Migration {
    /// Reads every account with its links' bindings, then every binding with its account. Changes nothing.
    func verify(_ rules: SubjectNaming) async throws(MigrationError) -> MigrationSummary {
        var summary = MigrationSummary()
        try await doing { () throws(AccountError) in
            var folders = AccountFolders(directory.documents.store)
            while let folder = try await folders.next() {
                summary.accounts += 1
                try await verify(folder, rules, &summary)
            }
            try await verifyClaims(&summary)
        }
        return summary
    }

    private func verify(
        _ folder: AccountFolder, _ rules: SubjectNaming, _ summary: inout MigrationSummary
    ) async throws(AccountError) {
        let account: Stored<AccountDocument>
        do {
            guard let found = try await directory.account(folder.user) else {
                // A document that was listed and is gone belongs to a sign-up that lost its race.
                if folder.documentWrittenAt == nil { tell(.accountLost, folder.user, nil, &summary) }
                return
            }
            account = found
        } catch .corrupted {
            return tell(.accountUnreadable, folder.user, AccountDirectory.key(folder.user), &summary)
        }
        guard account.value.isUsable else { return }
        for link in account.value.links where link.state != .removing {
            summary.links += 1
            do {
                try await verify(link, folder.user, rules, &summary)
            } catch .corrupted {
                tell(.claimUnreadable, folder.user, link.names.key, &summary)
            }
        }
    }

    private func verify(
        _ link: AccountLink, _ user: UserID, _ rules: SubjectNaming, _ summary: inout MigrationSummary
    ) async throws(AccountError) {
        guard let subject = directory.subject(of: link, user: user) else {
            return tell(.subjectUnreadable, user, link.names.key, &summary)
        }
        let both = try rules.bothNames(link.provider, subject)
        let names = rules.inForce(both)
        guard link.isOf(both) else { return tell(.linkNameLeft, user, link.names.key, &summary) }
        let own = Claim(user: user, link: link.id)
        var isClaimed = true
        for (index, key) in names.keys.enumerated() {
            let claim = try await directory.claims.read(key)?.value
            guard claim != own || !link.names.keys.contains(key) else { continue }
            // A link with its first key waits for the second, unless another link has that.
            let isTaken = claim != own ? try await isListed(claim, at: key) : false
            if claim != own, index == 0 || isTaken {
                return try verify(link, of: user, isTaken: isTaken, at: key, &summary)
            }
            isClaimed = false
        }
        if isClaimed { summary.claimed += 1 } else { summary.remaining += 1 }
    }

    /// Reports a link whose binding is missing or belongs to another account. It is a loss only if the link ever had
    /// one.
    private func verify(
        _ link: AccountLink, of user: UserID, isTaken: Bool, at key: ObjectKey, _ summary: inout MigrationSummary
    ) throws(AccountError) {
        // A sign-up may be about to write it, under all keys in force.
        let isOld = link.linkedAt.addingTimeInterval(directory.repairGrace) < directory.now()
        guard link.state == .active, isOld || isTaken else { return summary.unclaimed += 1 }
        guard isTaken else { return tell(.claimMissing, user, key, &summary) }
        summary.unclaimed += 1
        report(RepairFinding(kind: .claimTaken, account: user, object: key.description, isSettled: false))
    }

    /// Returns whether the account of a binding lists it.
    private func isListed(_ claim: Claim?, at key: ObjectKey) async throws(AccountError) -> Bool {
        guard let claim else { return false }
        return try await directory.account(claim.user)?.value.lists(claim, at: key) ?? false
    }

    private func verifyClaims(_ summary: inout MigrationSummary) async throws(AccountError) {
        let damaged = Mutex(0)
        let harmless: Set<RepairFinding.Kind> = [.claimNotListed, .hintStale, .hintUnreadable]
        let repair = Repair(directory, isDry: true) { finding in
            if !harmless.contains(finding.kind) { damaged.withLock { $0 += 1 } }
            report(finding)
        }
        summary.claims = try await repair.settleClaims().claims
        summary.damagedClaims = damaged.withLock { $0 }
    }

    /// Removes bindings that no account lists under their keys.
    func clearClaims() async throws(MigrationError) {
        let repair = Repair(directory, isDry: false) { finding in
            // The verification reports everything else.
            if finding.isSettled { report(finding) }
        }
        try await doing { () throws(AccountError) in
            _ = try await repair.settleClaims()
        }
    }

    private func tell(
        _ kind: RepairFinding.Kind, _ user: UserID, _ key: ObjectKey?, _ summary: inout MigrationSummary
    ) {
        summary.problems += 1
        report(RepairFinding(kind: kind, account: user, object: key?.description, isSettled: false))
    }
}
