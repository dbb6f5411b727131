import ObjectStorage
import PhotolalaAPI

extension Migration {
    /// Gives every link of an account both names, and claims the new one where the old one is claimed.
    func carryOver(_ account: Stored<AccountDocument>, under rules: SubjectNaming) async throws(AccountError) {
        var current = try await directory.finishUnlinkings(of: account)
        let user = current.value.serviceUserID
        for link in current.value.links {
            guard let subject = directory.subject(of: link, user: user) else { continue }
            let names = try rules.bothNames(link.provider, subject)
            guard let next = names.nextKey else { continue }
            current = try await directory.list(names, of: link.id, subject, in: current)
            guard let listed = current.value.link(link.id), listed.names == names else { continue }
            do {
                guard try await directory.claims.read(names.key)?.value == Claim(user: user, link: link.id) else {
                    continue
                }
                current = try await claim(listed, at: next, in: current)
            } catch .corrupted {
                // Told by the verification; nothing is written over it.
                continue
            }
        }
    }

    /// Ends the move for an account: names that do not count any more go, and what is sealed for its links is sealed
    /// under the current key.
    /// - Returns: `false` when a name could not go yet.
    func settle(_ account: Stored<AccountDocument>, under rules: SubjectNaming) async throws(AccountError) -> Bool {
        if rules.phase == .confirmed { try await carryOver(account, under: rules) }
        guard let fresh = try await directory.account(account.value.serviceUserID) else { return false }
        let current = try await directory.finishUnlinkings(of: fresh)
        var settled: [LinkID: IdentityNames] = [:]
        var isSettled = true
        for link in current.value.links where link.nextSegment != nil {
            let kept = rules.inForce(link.names).key
            if try await directory.unclaimOtherNames(of: link, but: kept, in: current) {
                settled[link.id] = link.names
            } else {
                isSettled = false
            }
        }
        let sealed = rules.phase == .confirmed ? try await renewSeals(of: current) : [:]
        let name = rules.phase == .confirmed ? try renewedName(of: current.value) : nil
        let changed = try await directory.change(current) { (document) throws(AccountError) in
            document.sealedName = name ?? document.sealedName
            for link in document.links {
                document.changeLink(link.id) {
                    if settled[link.id] == $0.names { $0.keep(rules.inForce($0.names)) }
                    sealed[link.id]?.replace(in: &$0)
                }
            }
        }
        for (id, seals) in sealed where changed.value.link(id)?.emailHint == seals.emailHint {
            try await removeOldHint(of: id, in: current)
        }
        return isSettled
    }

    /// Claims a name; a claim that is left over in its place goes first.
    /// - Returns: the account as it is then.
    private func claim(
        _ link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        if let found = try await directory.claim(link, at: key, in: account) { return found.account }
        _ = try await directory.open(key)
        if let found = try await directory.claim(link, at: key, in: account) { return found.account }
        return try await directory.account(account.value.serviceUserID) ?? account
    }
}
