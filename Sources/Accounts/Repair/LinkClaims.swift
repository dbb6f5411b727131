import ObjectStorage
import PhotolalaAPI

/// What stands under the names that a link has to be claimed under now.
struct LinkClaims {
    let link: AccountLink
    let own: Claim
    let found: [(key: ObjectKey, claim: Claim?)]

    /// Whether the link is claimed under one of them at least.
    var hasOwn: Bool { found.contains { $0.claim == own } }

    /// The names that it is not claimed under.
    var others: [(key: ObjectKey, claim: Claim?)] { found.filter { $0.claim != own } }
}

extension AccountDirectory {
    /// Reads a link's claims. One read, two while claims move to another spelling.
    /// - Throws: `corrupted` when one cannot be read.
    func claims(
        of link: AccountLink, _ user: UserID, under rules: SubjectNaming
    ) async throws(AccountError) -> LinkClaims {
        var found: [(key: ObjectKey, claim: Claim?)] = []
        for key in rules.inForce(link.names).keys { found.append((key, try await claims.read(key)?.value)) }
        return LinkClaims(link: link, own: Claim(user: user, link: link.id), found: found)
    }
}
