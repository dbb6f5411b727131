import Accounts
import ObjectStorage
import PhotolalaAPI

/// Removal of a second binding key.
extension AccountDirectory {
    /// Removes a link's binding under the key that is no longer in force, once the key in force is bound.
    /// - Returns: `false` if that key is bound neither to this link nor to another one, or a binding is malformed.
    func unbindOtherKeys(
        of link: AccountLink, but retained: ObjectKey, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Bool {
        let own = IdentityBinding(user: account.value.serviceUserID, link: link.id)
        do {
            for key in link.bindingKeys.keys where key != retained {
                guard try await bindings.read(key)?.value == own else { continue }
                let isKept = try await bindings.read(retained)?.value == own
                // If another account has the identity under the key in force, this link was never acknowledged.
                if !isKept, try await bind(link, at: retained, in: account) == nil, try await resolve(retained) == nil {
                    return false
                }
                try await bindings.remove(own, at: key)
            }
            return true
        } catch .corrupted {
            return false
        }
    }

    /// Reduces a link to one binding key.
    func retainOnly(
        _ names: BindingKeys, of link: AccountLink, _ subject: String, in account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        let sealed = names.areHashed ? try seal(subject, for: .providerSubject, user) : nil
        let listed = try await change(account) { (document) throws(AccountError) in
            document.changeLink(link.id) {
                guard $0.bindingKeys == link.bindingKeys, !$0.bindingKeys.keys.contains(names.key) else { return }
                $0.nextSegment = $0.segment
                $0.segment = names.segment
                $0.sealedSubject = sealed ?? $0.sealedSubject
            }
        }
        guard let both = listed.value.link(link.id),
            try await unbindOtherKeys(of: both, but: names.key, in: listed)
        else { return listed }
        return try await change(listed) { (document) throws(AccountError) in
            document.changeLink(link.id) { if $0.bindingKeys == both.bindingKeys { $0.retainOnly(names) } }
        }
    }
}

extension AccountLink {
    /// Keeps one of two binding keys.
    mutating func retainOnly(_ names: BindingKeys) {
        segment = names.segment
        nextSegment = nil
        if !names.areHashed { sealedSubject = nil }
    }
}
