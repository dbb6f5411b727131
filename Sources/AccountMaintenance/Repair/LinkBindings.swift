import Accounts
import ObjectStorage
import PhotolalaAPI

/// The bindings found under the keys at which a link must be bound now.
struct LinkBindings {
    let link: AccountLink
    let own: IdentityBinding
    let found: [(key: ObjectKey, binding: IdentityBinding?)]

    /// Whether the link is bound under at least one of the keys.
    var isBound: Bool { found.contains { $0.binding == own } }

    /// The keys at which the link is not bound.
    var others: [(key: ObjectKey, binding: IdentityBinding?)] { found.filter { $0.binding != own } }
}

extension AccountDirectory {
    /// Reads a link's bindings. One read, two while identity bindings are re-keyed.
    /// - Throws: `corrupted` if a binding cannot be read.
    func bindings(
        of link: AccountLink, _ user: UserID, under resolver: BindingKeyResolver
    ) async throws(AccountError) -> LinkBindings {
        var found: [(key: ObjectKey, binding: IdentityBinding?)] = []
        for key in resolver.activeKeys(link.bindingKeys).keys {
            found.append((key, try await bindings.read(key)?.value))
        }
        return LinkBindings(link: link, own: IdentityBinding(user: user, link: link.id), found: found)
    }
}
