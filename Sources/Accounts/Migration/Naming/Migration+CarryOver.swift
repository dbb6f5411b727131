import ObjectStorage
import PhotolalaAPI

extension Migration {
    /// Lists both binding keys for every link of an account, and binds the new key if the old one is bound.
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
                // Reported by the verification; the object is not overwritten.
                continue
            }
        }
    }

    /// Ends the re-keying of an account: removes keys that are no longer in force, and reseals the links' secrets under
    /// the current key.
    /// - Returns: `false` if a key could not be removed yet.
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

    /// Binds a key, after removing a stale binding there.
    /// - Returns: the updated account.
    private func claim(
        _ link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        if let found = try await directory.claim(link, at: key, in: account) { return found.account }
        _ = try await directory.open(key)
        if let found = try await directory.claim(link, at: key, in: account) { return found.account }
        return try await directory.account(account.value.serviceUserID) ?? account
    }
}
