import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Repair {
    /// Checks every link of a usable account against its bindings.
    /// - Returns: the updated account; `nil` for a sign-up whose binding was never written.
    func reconcileLinks(
        of account: Stored<AccountDocument>, _ folder: AccountFolder, _ summary: inout RepairSummary
    ) async throws(AccountError) -> Stored<AccountDocument>? {
        let resolver = try await directory.manifestCache.resolver()
        let user = account.value.serviceUserID
        let account = try await finishDueUnlinks(of: account, &summary)
        var current = try await removeStaleKeys(of: account, folder, resolver, &summary)
        var linksToKeep = 0
        var unbound: [(link: AccountLink, key: ObjectKey)] = []
        var takenKeys: [ObjectKey] = []
        for link in account.value.links {
            let found: LinkBindings
            do {
                found = try await directory.bindings(of: link, user, under: resolver)
            } catch .corrupted {
                // Reported with the bindings; the object is not overwritten.
                linksToKeep += 1
                continue
            }
            linksToKeep += found.isBound || link.state != .active ? 1 : 0
            current = try await reconcileState(of: found, in: current, &summary)
            let isOwned = link.state == .active || link.state == .revoked
            guard isOwned || (link.state == .pending && found.isBound) else { continue }
            for (key, binding) in found.others {
                if let binding, try await isListed(binding, at: key) {
                    takenKeys.append(key)
                } else {
                    unbound.append((link, key))
                }
            }
        }
        if linksToKeep == 0, try await abandon(current, folder, &summary) { return nil }
        for key in takenKeys { try await handleFinding(.claimTaken, user, key, &summary) }
        for (link, key) in unbound where isPastGracePeriod(link.linkedAt) {
            try await restoreBinding(of: link, at: key, in: current, &summary)
        }
        for link in current.value.activeLinks {
            try await restoreHint(of: link, current.value.serviceUserID, &summary)
        }
        return current
    }

    /// Carries out unlinks whose delay has ended.
    private func finishDueUnlinks(
        of account: Stored<AccountDocument>, _ summary: inout RepairSummary
    ) async throws(AccountError) -> Stored<AccountDocument> {
        guard let due = account.value.links.first(where: { $0.isUnlinkDue(at: directory.now()) }) else {
            return account
        }
        return try await reconcileLink(.unlinkUnfinished, due, of: account, &summary) { () throws(AccountError) in
            try await directory.finishUnlinkings(of: account)
        }
    }

    /// Drops binding keys that an operation added after re-keying had ended.
    private func removeStaleKeys(
        of account: Stored<AccountDocument>, _ folder: AccountFolder, _ resolver: BindingKeyResolver,
        _ summary: inout RepairSummary
    ) async throws(AccountError) -> Stored<AccountDocument> {
        // A document unchanged for the grace period is not being re-keyed.
        guard resolver.phase == nil, let writtenAt = folder.documentWrittenAt, isPastGracePeriod(writtenAt) else {
            return account
        }
        let user = account.value.serviceUserID
        var current = account
        for link in account.value.links where link.state != .removing {
            guard let subject = directory.subject(of: link, user: user) else { continue }
            let names = try resolver.keys(link.provider, subject)
            guard link.bindingKeys != names else { continue }
            let before = current
            current = try await reconcileLink(.linkNameLeft, link, of: before, &summary) { () throws(AccountError) in
                try await directory.retainOnly(names, of: link, subject, in: before)
            }
        }
        return current
    }

    /// Completes or withdraws a pending link, and completes an unlink.
    private func reconcileState(
        of found: LinkBindings, in account: Stored<AccountDocument>, _ summary: inout RepairSummary
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let link = found.link
        switch link.state {
        case .active, .revoked:
            // The binding of a revoked link waits for a new ID token; without a binding the identity is free.
            return account
        case .pending where found.isBound:
            return try await reconcileLink(.linkUnfinished, link, of: account, &summary) { () throws(AccountError) in
                try await directory.activate(link, of: account)
            }
        case .pending:
            guard isPastGracePeriod(link.linkedAt) else { return account }
            return try await reconcileLink(.linkUnclaimed, link, of: account, &summary) { () throws(AccountError) in
                try await withdraw(link, from: account)
            }
        case .removing:
            return try await reconcileLink(.unlinkUnfinished, link, of: account, &summary) { () throws(AccountError) in
                try await directory.finishUnlinking(link.id, of: account)
            }
        }
    }

    /// Returns whether the account of a binding lists it.
    private func isListed(_ binding: IdentityBinding, at key: ObjectKey) async throws(AccountError) -> Bool {
        do {
            guard let account = try await directory.account(binding.user) else { return true }
            return account.value.lists(binding, at: key)
        } catch .corrupted {
            // Unknown until that account is restored.
            return true
        }
    }

    /// Writes a lost binding again, and removes it if the link is gone.
    private func restoreBinding(
        of link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>,
        _ summary: inout RepairSummary
    ) async throws(AccountError) {
        try await handleFinding(.claimMissing, account.value.serviceUserID, key, &summary) { () throws(AccountError) in
            try await directory.bind(link, at: key, in: account) != nil
        }
    }

    /// Creates a link's lost hint again if the key is free, and removes it if the link is gone.
    private func restoreHint(
        of link: AccountLink, _ user: UserID, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        guard try await directory.emailHints.isMissing(for: link) else { return }
        try await handleFinding(.hintMissing, user, nil, &summary) { () throws(AccountError) in
            try await directory.emailHints.create(for: link, user: user)
            if try await exists(link, user) { return true }
            try await directory.emailHints.remove(of: link, user: user)
            return false
        }
    }

    private func exists(_ link: AccountLink, _ user: UserID) async throws(AccountError) -> Bool {
        guard let account = try await directory.account(user), account.value.isUsable,
            let now = account.value.link(link.id)
        else { return false }
        return now.state != .removing
    }

    /// Repairs a link in its account and reports the finding.
    /// - Returns: the updated account.
    private func reconcileLink(
        _ kind: RepairFinding.Kind, _ link: AccountLink, of account: Stored<AccountDocument>,
        _ summary: inout RepairSummary, by body: @escaping () async throws(AccountError) -> Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        var updated = account
        try await handleFinding(kind, account.value.serviceUserID, link.bindingKeys.key, &summary) {
            () throws(AccountError) in
            updated = try await body()
            return true
        }
        return updated
    }

    /// Removes a link without a binding from its account, with its hint.
    private func withdraw(
        _ link: AccountLink, from account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let updated = try await directory.change(account) { (document) throws(AccountError) in
            document.links.removeAll { $0.id == link.id && $0.state == .pending }
        }
        if updated.value.link(link.id) == nil {
            try await directory.emailHints.remove(of: link, user: account.value.serviceUserID)
        }
        return updated
    }
}
