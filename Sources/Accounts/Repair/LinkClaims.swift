import ObjectStorage
import PhotolalaAPI

/// The bindings found under the keys at which a link must be bound now.
struct LinkClaims {
    let link: AccountLink
    let own: Claim
    let found: [(key: ObjectKey, claim: Claim?)]

    /// Whether the link is bound under at least one of the keys.
    var hasOwn: Bool { found.contains { $0.claim == own } }

    /// The keys at which the link is not bound.
    var others: [(key: ObjectKey, claim: Claim?)] { found.filter { $0.claim != own } }
}

extension AccountDirectory {
    /// Reads a link's bindings. One read, two while identity bindings are re-keyed.
    /// - Throws: `corrupted` if a binding cannot be read.
    func claims(
        of link: AccountLink, _ user: UserID, under rules: SubjectNaming
    ) async throws(AccountError) -> LinkClaims {
        var found: [(key: ObjectKey, claim: Claim?)] = []
        for key in rules.inForce(link.names).keys { found.append((key, try await claims.read(key)?.value)) }
        return LinkClaims(link: link, own: Claim(user: user, link: link.id), found: found)
    }
}
