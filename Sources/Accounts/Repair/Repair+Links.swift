import Foundation
import ObjectStorage
import PhotolalaAPI

extension Repair {
    /// Every link of a usable account against its claim.
    /// - Returns: the account as it is then, `nil` for a sign-up that never got its claim.
    func settleLinks(
        of account: Stored<AccountDocument>, _ folder: AccountFolder, _ summary: inout RepairSummary
    ) async throws(AccountError) -> Stored<AccountDocument>? {
        var current = account
        var unclaimed: [AccountLink] = []
        var taken: [AccountLink] = []
        for link in account.value.links {
            let claim: Stored<Claim>?
            do {
                claim = try await directory.claims.read(link.claimKey)
            } catch .corrupted {
                // Reported with the claims; nothing is written over it.
                continue
            }
            let own = Claim(user: account.value.serviceUserID, link: link.id)
            switch link.state {
            case .revoked:
                // Its claim waits for a fresh proof; without one the identity is free.
                continue
            case .active:
                guard claim?.value != own else { continue }
                if let claim, try await isListed(claim.value) {
                    taken.append(link)
                } else {
                    unclaimed.append(link)
                }
            case .pending where claim?.value == own:
                let before = current
                current = try await settle(.linkUnfinished, link, of: before, &summary) { () throws(AccountError) in
                    try await directory.activate(link, of: before)
                }
            case .pending:
                guard isOld(link.linkedAt) else { continue }
                let before = current
                current = try await settle(.linkUnclaimed, link, of: before, &summary) { () throws(AccountError) in
                    try await withdraw(link, from: before)
                }
            case .removing:
                let before = current
                current = try await settle(.unlinkUnfinished, link, of: before, &summary) { () throws(AccountError) in
                    try await directory.finishUnlinking(link.id, of: before)
                }
            }
        }
        if unclaimed.count + taken.count == account.value.links.count,
            try await abandon(current, folder, &summary)
        {
            return nil
        }
        for link in taken { try await found(.claimTaken, account.value.serviceUserID, link.claimKey, &summary) }
        for link in unclaimed where isOld(link.linkedAt) {
            try await writeClaim(of: link, current.value.serviceUserID, &summary)
        }
        for link in current.value.activeLinks {
            try await leaveHint(of: link, current.value.serviceUserID, &summary)
        }
        return current
    }

    /// Whether a claim's own account lists it.
    private func isListed(_ claim: Claim) async throws(AccountError) -> Bool {
        do {
            guard let account = try await directory.account(claim.user) else { return true }
            return account.value.isUsable && account.value.link(claim.link) != nil
        } catch .corrupted {
            // Nobody knows until that account is restored.
            return true
        }
    }

    /// Writes a lost claim again, and takes it back if the link went meanwhile.
    private func writeClaim(
        of link: AccountLink, _ user: UserID, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        try await found(.claimMissing, user, link.claimKey, &summary) { () throws(AccountError) in
            let claim = Claim(user: user, link: link.id)
            guard case .ours = try await directory.claims.write(claim, at: link.claimKey) else { return false }
            if try await stands(link, user) { return true }
            try await directory.claims.remove(claim, at: link.claimKey)
            return false
        }
    }

    /// Leaves a link's lost hint again where none is, and takes it back if the link went meanwhile.
    private func leaveHint(
        of link: AccountLink, _ user: UserID, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        guard try await directory.emailHints.isMissing(for: link) else { return }
        try await found(.hintMissing, user, nil, &summary) { () throws(AccountError) in
            try await directory.emailHints.leave(for: link, user: user)
            if try await stands(link, user) { return true }
            try await directory.emailHints.remove(of: link, user: user)
            return false
        }
    }

    private func stands(_ link: AccountLink, _ user: UserID) async throws(AccountError) -> Bool {
        guard let account = try await directory.account(user), account.value.isUsable,
            let now = account.value.link(link.id)
        else { return false }
        return now.state != .removing
    }

    /// Reports what a link is found to be, after settling it in its account.
    /// - Returns: the account as it is then.
    private func settle(
        _ kind: RepairFinding.Kind, _ link: AccountLink, of account: Stored<AccountDocument>,
        _ summary: inout RepairSummary, by act: @escaping () async throws(AccountError) -> Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        var settled = account
        try await found(kind, account.value.serviceUserID, link.claimKey, &summary) { () throws(AccountError) in
            settled = try await act()
            return true
        }
        return settled
    }

    /// Takes a link that was never claimed off its account, with its hint.
    private func withdraw(
        _ link: AccountLink, from account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let settled = try await directory.change(account) { (document) throws(AccountError) in
            document.links.removeAll { $0.id == link.id && $0.state == .pending }
        }
        if settled.value.link(link.id) == nil {
            try await directory.emailHints.remove(of: link, user: account.value.serviceUserID)
        }
        return settled
    }
}
