import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Hints under keyed hashes of e-mail addresses: which account to tell the owner of an address about. They never sign
/// anyone in, and only an address whose provider is authoritative for its domain leaves or finds one.
struct EmailHints: Sendable {
    let claims: Claims
    let keyRing: KeyRing

    /// The hash for an address, or `nil` for one that proves nothing about who owns it.
    func hash(of email: VerifiedEmail) throws(SecretsError) -> String? {
        guard email.isVerified, email.isAuthoritative, !email.isPrivate else { return nil }
        let address = Data(email.address.lowercased().utf8)
        let keyID = keyRing.currentKeyID
        return "\(keyID)-\(Hex.encode(try keyRing.authenticationCode(of: address, for: .emailHint, keyID: keyID)))"
    }

    /// Leaves a link's hint where none is.
    func leave(for link: AccountLink, user: UserID) async throws(AccountError) {
        guard let hash = link.emailHint else { return }
        _ = try await claims.write(Claim(user: user, link: link.id), at: Self.key(hash))
    }

    /// Takes a link's own hint away.
    func remove(of link: AccountLink, user: UserID) async throws(AccountError) {
        guard let hash = link.emailHint else { return }
        try await claims.remove(Claim(user: user, link: link.id), at: Self.key(hash))
    }

    /// The account that an address hints at.
    func account(_ email: VerifiedEmail) async throws(AccountError) -> UserID? {
        do {
            guard let hash = try hash(of: email) else { return nil }
            return try await claims.read(Self.key(hash))?.value.user
        } catch let error as SecretsError {
            throw .secrets(error)
        } catch let error as AccountError {
            throw error
        } catch {
            throw .corrupted("e-mail hint")
        }
    }

    private static func key(_ hash: String) -> ObjectKey { ObjectKey(known: StorageLayout.emailHint(hash)) }
}

extension AccountDirectory {
    /// The providers that the owner of a proven address signs in with; empty when nothing may be told.
    package func hints(for email: VerifiedEmail) async throws(AccountError) -> [ProviderName] {
        guard let user = try await emailHints.account(email), let account = try await account(user),
            account.value.isUsable
        else { return [] }
        var seen: Set<ProviderName> = []
        return account.value.activeLinks.map(\.provider).filter { seen.insert($0).inserted }
    }
}
