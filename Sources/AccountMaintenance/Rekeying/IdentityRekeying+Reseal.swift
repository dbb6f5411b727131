import Accounts
import ObjectStorage
import PhotolalaAPI

/// The sealed and hashed members of a link, renewed under the current master key.
struct ResealedSecrets {
    var sealedSubject: String?
    var sealedEmail: String?
    var emailHint: String?

    func replace(in link: inout AccountLink) {
        if link.sealedSubject != nil { link.sealedSubject = sealedSubject ?? link.sealedSubject }
        link.sealedEmail = sealedEmail ?? link.sealedEmail
        link.emailHint = emailHint ?? link.emailHint
    }
}

extension IdentityRekeying {
    /// Reseals under the current key what is sealed under another, so that the other key can be retired. What cannot be
    /// opened stays unchanged. New hints are created before the account names them.
    func resealSecrets(of account: Stored<AccountDocument>) async throws(AccountError) -> [LinkID: ResealedSecrets] {
        let user = account.value.serviceUserID
        let current = directory.keyRing.currentKeyID
        var renewed: [LinkID: ResealedSecrets] = [:]
        for link in account.value.links where link.state != .removing {
            var seals = ResealedSecrets()
            if let sealed = link.sealedSubject, !sealed.hasPrefix("\(current)."),
                let subject = directory.open(sealed, for: .providerSubject, user)
            {
                seals.sealedSubject = try directory.seal(subject, for: .providerSubject, user)
            }
            if let sealed = link.sealedEmail, !sealed.hasPrefix("\(current)."),
                let email = directory.open(sealed, for: .emailAddress, user)
            {
                seals.sealedEmail = try directory.seal(email, for: .emailAddress, user)
            }
            if let hint = link.emailHint, !hint.hasPrefix("\(current)-"),
                let email = directory.email(of: link, user: user)
            {
                let newHash = try directory.emailHints.currentHash(of: email)
                var next = link
                next.emailHint = newHash
                try await directory.emailHints.create(for: next, user: user)
                seals.emailHint = newHash
            }
            if seals.sealedSubject != nil || seals.sealedEmail != nil || seals.emailHint != nil {
                renewed[link.id] = seals
            }
        }
        return renewed
    }

    /// Returns the name that came with the sign-up, resealed under the current key; `nil` if that is not needed or not
    /// possible.
    func resealName(of account: AccountDocument) throws(AccountError) -> String? {
        guard let sealed = account.sealedName, !sealed.hasPrefix("\(directory.keyRing.currentKeyID)."),
            let name = directory.name(of: account)
        else { return nil }
        return try directory.seal(name, for: .givenName, account.serviceUserID)
    }

    /// Removes the hint that a link left under another key.
    func removeOldHint(of id: LinkID, in earlier: Stored<AccountDocument>) async throws(AccountError) {
        guard let link = earlier.value.link(id) else { return }
        try await directory.emailHints.remove(of: link, user: earlier.value.serviceUserID)
    }
}
