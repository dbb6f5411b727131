import Accounts
import ObjectStorage
import PhotolalaAPI

extension IdentityRekeying {
    /// Lists both binding keys for every link of an account, and binds the new key if the old one is bound.
    func bindNewKeys(_ account: Stored<AccountDocument>, under resolver: BindingKeyResolver) async throws(AccountError)
    {
        var current = try await directory.finishUnlinkings(of: account)
        let user = current.value.serviceUserID
        for link in current.value.links {
            guard let subject = directory.subject(of: link, user: user) else { continue }
            let names = try resolver.bothKeys(link.provider, subject)
            guard let next = names.nextKey else { continue }
            current = try await directory.recordKeys(names, of: link.id, subject, in: current)
            guard let listed = current.value.link(link.id), listed.bindingKeys == names else { continue }
            do {
                guard try await directory.bindings.read(names.key)?.value == IdentityBinding(user: user, link: link.id)
                else {
                    continue
                }
                current = try await bind(listed, at: next, in: current)
            } catch .corrupted {
                // Reported by the verification; the object is not overwritten.
                continue
            }
        }
    }

    /// Ends the re-keying of an account: removes keys that are no longer in force, and reseals the links' secrets under
    /// the current key.
    /// - Returns: `false` if a key could not be removed yet.
    func finalize(_ account: Stored<AccountDocument>, under resolver: BindingKeyResolver) async throws(AccountError)
        -> Bool
    {
        if resolver.phase == .confirmed { try await bindNewKeys(account, under: resolver) }
        guard let reread = try await directory.account(account.value.serviceUserID) else { return false }
        let current = try await directory.finishUnlinkings(of: reread)
        var unbound: [LinkID: BindingKeys] = [:]
        var isSettled = true
        for link in current.value.links where link.nextSegment != nil {
            let retained = resolver.activeKeys(link.bindingKeys).key
            if try await directory.unbindOtherKeys(of: link, but: retained, in: current) {
                unbound[link.id] = link.bindingKeys
            } else {
                isSettled = false
            }
        }
        let sealed = resolver.phase == .confirmed ? try await resealSecrets(of: current) : [:]
        let name = resolver.phase == .confirmed ? try resealName(of: current.value) : nil
        let source = resolver.phase == .confirmed ? try directory.resealedSource(of: current.value) : nil
        let changed = try await directory.change(current) { (document) throws(AccountError) in
            document.sealedName = name ?? document.sealedName
            if let source, document.arrival?.sealedSource == current.value.arrival?.sealedSource {
                document.arrival?.sealedSource = source
            }
            for link in document.links {
                document.changeLink(link.id) {
                    if unbound[link.id] == $0.bindingKeys { $0.retainOnly(resolver.activeKeys($0.bindingKeys)) }
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
    private func bind(
        _ link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        if let found = try await directory.bind(link, at: key, in: account) { return found.account }
        _ = try await directory.resolve(key)
        if let found = try await directory.bind(link, at: key, in: account) { return found.account }
        return try await directory.account(account.value.serviceUserID) ?? account
    }
}
