import ObjectStorage
import PhotolalaAPI

/// Handling of the two binding keys that an identity has during re-keying.
extension AccountDirectory {
    /// Returns whether a link's binding keys include all keys in force now. An operation that wrote bindings checks
    /// this after its last write and before it is acknowledged, because the manifest may have changed since it began.
    func isBound(_ link: AccountLink, _ identity: VerifiedIdentity) async throws(AccountError) -> Bool {
        let names = try await manifestCache.resolver().keys(identity.provider, identity.subject)
        return names.keys.allSatisfy(link.bindingKeys.keys.contains)
    }

    /// Adds the new binding key to a link that is bound under its old one: lists the key, writes the binding, reads the
    /// account again.
    /// - Returns: `nil` if the link is gone or the key is bound to another link.
    func bindNewKeys(
        _ found: FoundAccount, _ subject: String, to names: BindingKeys
    ) async throws(AccountError) -> FoundAccount? {
        let listed = try await recordKeys(names, of: found.link.id, subject, in: found.account)
        guard let next = names.nextKey, let link = listed.value.link(found.link.id) else { return nil }
        return try await bind(link, at: next, in: listed)
    }

    /// Lists both binding keys of a link that is not being unlinked.
    package func recordKeys(
        _ names: BindingKeys, of id: LinkID, _ subject: String, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let sealed = names.areHashed ? try seal(subject, for: .providerSubject, user) : nil
        return try await change(account) { (document) throws(AccountError) in
            document.changeLink(id) { $0.updateKeys(names, sealed) }
        }
    }

    /// Binds an identity to a link that lists the key, and removes the binding if the link is gone afterwards.
    /// - Returns: `nil` in that case, and if the key is bound to another link.
    package func bind(
        _ link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> FoundAccount? {
        let user = account.value.serviceUserID
        let binding = IdentityBinding(user: user, link: link.id)
        guard case .owned = try await bindings.write(binding, at: key) else { return nil }
        if let account = try await self.account(user), account.value.isUsable, let now = account.value.link(link.id),
            now.state != .removing, now.bindingKeys.keys.contains(key)
        {
            return FoundAccount(account: account, link: now)
        }
        try await bindings.remove(binding, at: key)
        return nil
    }

    /// Returns the subject of a link; `nil` if it cannot be recovered.
    package func subject(of link: AccountLink, user: UserID) -> String? {
        if let sealed = link.sealedSubject { return open(sealed, for: .providerSubject, user) }
        return KeyEncoding.unescape(link.segment)
    }
}

extension AccountLink {
    /// Adds the second binding key for re-keying; a link that already has it stays unchanged.
    mutating func updateKeys(_ names: BindingKeys, _ sealedSubject: String?) {
        guard state != .removing, let next = names.nextSegment, segment == names.segment, nextSegment != next else {
            return
        }
        nextSegment = next
        self.sealedSubject = sealedSubject ?? self.sealedSubject
    }
}
