import ObjectStorage
import PhotolalaAPI

/// What an act does about the two names that an identity has while claims move to another spelling.
extension AccountDirectory {
    /// Whether a link that was claimed under its names is claimed under all that count now. An act that wrote claims
    /// asks after its last one, and before it is acknowledged: the stamp may have changed since it began.
    func isClaimed(_ link: AccountLink, _ identity: VerifiedIdentity) async throws(AccountError) -> Bool {
        let names = try await naming.current().names(identity.provider, identity.subject)
        return names.keys.allSatisfy(link.names.keys.contains)
    }

    /// Gives a link that is claimed under its old name the new one: listed first, then claimed, then read again.
    /// - Returns: `nil` when the link or the name went to somebody else meanwhile.
    func carryOver(
        _ found: FoundAccount, _ subject: String, to names: IdentityNames
    ) async throws(AccountError) -> FoundAccount? {
        let listed = try await list(names, of: found.link.id, subject, in: found.account)
        guard let next = names.nextKey, let link = listed.value.link(found.link.id) else { return nil }
        return try await claim(link, at: next, in: listed)
    }

    /// Lists both names of a link that is not being unlinked.
    func list(
        _ names: IdentityNames, of id: LinkID, _ subject: String, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let sealed = names.areHashed ? try seal(subject, for: .providerSubject, user) : nil
        return try await change(account) { (document) throws(AccountError) in
            document.changeLink(id) { $0.take(names, sealed) }
        }
    }

    /// Claims an identity for a link that lists the name, and takes the claim back if the link went meanwhile.
    /// - Returns: `nil` then, and when the name is another link's.
    func claim(
        _ link: AccountLink, at key: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> FoundAccount? {
        let user = account.value.serviceUserID
        let claim = Claim(user: user, link: link.id)
        guard case .ours = try await claims.write(claim, at: key) else { return nil }
        if let account = try await self.account(user), account.value.isUsable, let now = account.value.link(link.id),
            now.state != .removing, now.names.keys.contains(key)
        {
            return FoundAccount(account: account, link: now)
        }
        try await claims.remove(claim, at: key)
        return nil
    }

    /// The subject of a link, or `nil` when it cannot be read back.
    func subject(of link: AccountLink, user: UserID) -> String? {
        if let sealed = link.sealedSubject { return open(sealed, for: .providerSubject, user) }
        return SubjectSpelling.unescape(link.segment)
    }
}

extension AccountLink {
    /// Takes the names that its identity has while a migration runs; one that has them already stays as it is.
    mutating func take(_ names: IdentityNames, _ sealedSubject: String?) {
        guard state != .removing, let next = names.nextSegment, segment == names.segment, nextSegment != next else {
            return
        }
        nextSegment = next
        self.sealedSubject = sealedSubject ?? self.sealedSubject
    }
}
