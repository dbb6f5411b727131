import ObjectStorage
import PhotolalaAPI

/// Removal of a second binding key.
extension AccountDirectory {
    /// Removes a link's binding under the key that is no longer in force, once the key in force is bound.
    /// - Returns: `false` if that key is bound neither to this link nor to another one, or a binding is malformed.
    func unclaimOtherNames(
        of link: AccountLink, but kept: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Bool {
        let own = Claim(user: account.value.serviceUserID, link: link.id)
        do {
            for key in link.names.keys where key != kept {
                guard try await claims.read(key)?.value == own else { continue }
                let isKept = try await claims.read(kept)?.value == own
                // If another account has the identity under the key in force, this link was never acknowledged.
                if !isKept, try await claim(link, at: kept, in: account) == nil, try await open(kept) == nil {
                    return false
                }
                try await claims.remove(own, at: key)
            }
            return true
        } catch .corrupted {
            return false
        }
    }

    /// Reduces a link to one binding key.
    func keepOnly(
        _ names: IdentityNames, of link: AccountLink, _ subject: String, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let sealed = names.areHashed ? try seal(subject, for: .providerSubject, user) : nil
        let listed = try await change(account) { (document) throws(AccountError) in
            document.changeLink(link.id) {
                guard $0.names == link.names, !$0.names.keys.contains(names.key) else { return }
                $0.nextSegment = $0.segment
                $0.segment = names.segment
                $0.sealedSubject = sealed ?? $0.sealedSubject
            }
        }
        guard let both = listed.value.link(link.id),
            try await unclaimOtherNames(of: both, but: names.key, in: listed)
        else { return listed }
        return try await change(listed) { (document) throws(AccountError) in
            document.changeLink(link.id) { if $0.names == both.names { $0.keep(names) } }
        }
    }
}

extension AccountLink {
    /// Keeps one of two binding keys.
    mutating func keep(_ names: IdentityNames) {
        segment = names.segment
        nextSegment = nil
        if !names.areHashed { sealedSubject = nil }
    }
}
