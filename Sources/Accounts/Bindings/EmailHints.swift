import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// E-mail hints under keyed hashes of addresses: each names the account that the owner of the address already has. A
/// hint never signs a user in. Only a verified, non-relay address of a provider that is trusted to verify it creates or
/// finds a hint.
package struct EmailHints: Sendable {
    let bindings: IdentityBindings
    let keyRing: KeyRing

    /// Returns the hash of an address, or `nil` if the token does not prove ownership of the mailbox.
    func hash(of email: VerifiedEmail) throws(AccountError) -> String? {
        guard email.provesOwnership else { return nil }
        return try currentHash(of: email.address)
    }

    /// Returns the hash, under the current key, of an address that has left a hint before.
    package func currentHash(of address: String) throws(AccountError) -> String {
        try hash(address, keyID: keyRing.currentKeyID)
    }

    /// Creates a link's hint if the key is free.
    package func create(for link: AccountLink, user: UserID) async throws(AccountError) {
        guard let hash = link.emailHint else { return }
        _ = try await bindings.write(IdentityBinding(user: user, link: link.id), at: Self.key(hash))
    }

    /// Returns whether the link has an e-mail hash but no stored hint.
    package func isMissing(for link: AccountLink) async throws(AccountError) -> Bool {
        guard let hash = link.emailHint else { return false }
        do {
            return try await bindings.read(Self.key(hash)) == nil
        } catch .corrupted {
            return false
        }
    }

    /// Removes a link's own hint.
    package func remove(of link: AccountLink, user: UserID) async throws(AccountError) {
        guard let hash = link.emailHint else { return }
        try await bindings.remove(IdentityBinding(user: user, link: link.id), at: Self.key(hash))
    }

    /// Where hints for a proven address may be, under each of the configured master keys. An address that Unicode lower case
    /// changes further is also looked up as earlier versions hashed it, so a hint that is found may be of another address.
    func keys(for email: VerifiedEmail) throws(AccountError) -> [ObjectKey] {
        guard email.provesOwnership else { return [] }
        let (name, earlierName) = (email.address.asciiLowercased, email.address.lowercased())
        let names = name.utf8.elementsEqual(earlierName.utf8) ? [name] : [name, earlierName]
        var keys: [ObjectKey] = []
        for keyID in keyRing.keyIDs {
            for name in names { keys.append(Self.key(try hash(name: name, keyID: keyID))) }
        }
        return keys
    }

    private func hash(_ address: String, keyID: String) throws(AccountError) -> String {
        try hash(name: address.asciiLowercased, keyID: keyID)
    }

    private func hash(name: String, keyID: String) throws(AccountError) -> String {
        let message = Data(name.utf8)
        do {
            return "\(keyID)-\(Hex.encode(try keyRing.authenticationCode(of: message, for: .emailHint, keyID: keyID)))"
        } catch {
            throw .secrets(error)
        }
    }

    private static func key(_ hash: String) -> ObjectKey { ObjectKey(known: StorageLayout.emailHint(hash)) }
}

extension AccountDirectory {
    /// The provider of the identity that left a hint for a proven address; empty without a hint. Other identities of the
    /// account stay unnamed. Removes hints whose link is gone, up to the first that is not.
    package func hintedProviders(for email: VerifiedEmail) async throws(AccountError) -> [ProviderName] {
        for key in try emailHints.keys(for: email) {
            guard let hint = try await bindings.read(key) else { continue }
            guard let account = try await usableAccount(hint.value.user),
                let link = account.value.link(hint.value.link), link.state != .removing,
                !account.value.isUnlinked(link, at: now())
            else {
                try await bindings.remove(hint, at: key)
                continue
            }
            // Earlier versions made one key of addresses that differ beyond ASCII.
            guard
                self.email(of: link, user: hint.value.user)?.asciiLowercased.utf8
                    .elementsEqual(email.address.asciiLowercased.utf8) == true
            else { continue }
            return [link.provider]
        }
        return []
    }
}

extension AccountDirectory {
    /// Returns the account whose link left a hint for an address; `nil` without a hint. Unlike `hintedProviders`, it
    /// removes nothing. For operators only: it asks for no proof that the caller owns the mailbox.
    package func account(hintedBy address: String) async throws(AccountError) -> AccountDocument? {
        let email = VerifiedEmail(address: address, isVerified: true, isPrivate: false, isTrusted: true)
        for key in try emailHints.keys(for: email) {
            guard let hint = try await bindings.read(key)?.value,
                let account = try await account(hint.user)?.value, let link = account.link(hint.link),
                self.email(of: link, user: hint.user)?.asciiLowercased.utf8
                    .elementsEqual(address.asciiLowercased.utf8) == true
            else { continue }
            return account
        }
        return nil
    }
}

extension AccountDocument {
    /// The active providers of the account, each once, to show to the buyer of a subscription; empty if the account is
    /// not usable.
    package var disclosableProviders: [ProviderName] {
        guard isUsable else { return [] }
        var seen: Set<ProviderName> = []
        return activeLinks.map(\.provider).filter { seen.insert($0).inserted }
    }
}
