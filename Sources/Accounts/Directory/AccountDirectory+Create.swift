import Foundation
import ObjectStorage
import PhotolalaAPI

/// The result of creating an account.
package enum AccountCreationOutcome: Sendable {
    /// A new account.
    case created(FoundAccount)
    /// The identity already had an account, or a concurrent request created one first.
    case exists(FoundAccount)
}

extension AccountDirectory {
    /// Creates an account for an identity without one. Two reads and two writes: checks for a binding, writes the
    /// account, writes the binding, reads the account again.
    /// - Parameters:
    ///   - language: the BCP 47 tag of the language of a new account's e-mails.
    ///   - country: the country of the client's address, if it is known.
    ///   - trial: the trial of a new account; called only if no account was found.
    package func create(
        for identity: VerifiedIdentity, name: String?, language: String? = nil, device: DeviceID,
        country: CountryCode? = nil,
        trial: () async throws(AccountError) -> AccountTrial? = { () async throws(AccountError) in nil }
    ) async throws(AccountError) -> AccountCreationOutcome {
        if let found = try await find(identity) { return .exists(found) }
        let (account, link) = try await writeAccount(
            for: identity, name: name, language: language, device: device, country: country,
            trial: try await trial())
        let binding = IdentityBinding(user: account.value.serviceUserID, link: link.id)
        let deadline = account.value.createdAt.addingTimeInterval(repairGracePeriod / 2)
        var mayArrive = false
        for attempt in 0..<retry.attempts {
            switch try await bindings.write(binding, under: link.bindingKeys, mayWrite: { [now] in now() < deadline }) {
            case .owned:
                return .created(try await confirm(link, of: identity, binding: binding))
            case .ownedByOther(let isSure):
                mayArrive = mayArrive || !isSure
                if let winner = try await find(identity) {
                    if winner.account.value.serviceUserID == binding.user { return .created(winner) }
                    // An earlier attempt that may still arrive needs its account. Repair removes that account later.
                    if !mayArrive {
                        await discard(account)
                    } else {
                        try? await bindings.remove(binding, under: link.bindingKeys)
                    }
                    return .exists(winner)
                }
            }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    private func writeAccount(
        for identity: VerifiedIdentity, name: String?, language: String?, device: DeviceID, country: CountryCode?,
        trial: AccountTrial?
    ) async throws(AccountError) -> (Stored<AccountDocument>, AccountLink) {
        let user = UserID(uuid: randomness.uuid())
        let names = try await manifestCache.resolver().keys(identity.provider, identity.subject)
        var link = try makeLink(identity, names, user: user, state: .active, method: .created)
        link.device = device
        let account = try await write(
            user, with: link, name: name, language: language, trial: trial, createdAt: now(),
            .init(
                action: .accountCreated, provider: identity.provider, link: link.id, device: device,
                country: country, at: now())
        )
        return (account, link)
    }

    /// Writes a new account with its first link and audit entry.
    /// - Throws: `store(.preconditionFailed)` if the account exists.
    package func write(
        _ user: UserID, with link: AccountLink, name: String? = nil, language: String? = nil,
        trial: AccountTrial? = nil, createdAt: Date, _ event: AuditHead.Event
    ) async throws(AccountError) -> Stored<AccountDocument> {
        var audit = AuditHead()
        try audit.append(event)
        var document = AccountDocument(
            version: 1, serviceUserID: user, state: .active, createdAt: createdAt, links: [link],
            primaryLinkID: link.id, tier: trial.flatMap { createdAt < $0.endsAt ? $0.tier : nil } ?? .free,
            trial: trial,
            sessionEpoch: 0, keptSessions: [],
            sealedName: try name.map { (name) throws(AccountError) in try seal(name, for: .givenName, user) },
            audit: try audit.sealed(after: nil, of: user, self.audit.sealing), language: language
        )
        for outbox in outboxes { document.markUnsent(outbox.channel) }
        let created = document
        return try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.create(Self.key(user), created)
        }
    }

    /// Creates the e-mail hint, reads the account again after all bindings were written, and removes the bindings if
    /// the account is gone.
    private func confirm(
        _ link: AccountLink, of identity: VerifiedIdentity, binding: IdentityBinding
    ) async throws(AccountError) -> FoundAccount {
        try? await emailHints.create(for: link, user: binding.user)
        if let account = try await account(binding.user), account.value.state == .active,
            account.value.link(link.id)?.state == .active
        {
            if try await isBound(link, identity) { return FoundAccount(account: account, link: link) }
            if let found = try await find(identity), found.link.id == link.id { return found }
        }
        try await bindings.remove(binding, under: link.bindingKeys)
        try? await emailHints.remove(of: link, user: binding.user)
        throw .signUpTooSlow
    }

    /// Removes the account of a sign-up that lost its race. If this fails, repair removes it.
    private func discard(_ account: Stored<AccountDocument>) async {
        _ = try? await documents.writes.delete(Self.key(account.value.serviceUserID), if: .matches(account.etag))
    }

    /// Writes the object of the first audit entry. The account document also holds the entry, so a failure here must
    /// not undo the sign-up: the next change of the account writes the object first.
    package func finishCreation(of found: FoundAccount) async {
        await publish(found.account.value, delivering: true)
    }
}
