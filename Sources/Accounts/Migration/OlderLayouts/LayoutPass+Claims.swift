import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Imports identities: from bindings of legacy layouts to accounts and bindings of this layout.
extension LayoutPass {
    func moveClaims() async throws(AccountError) {
        try await eachTogether(of: Listing(store, prefix: StorageLayout.identities)) { object in
            { () throws(AccountError) in
                guard let (claim, stored) = try await read(object.key) else { return }
                try await move(object, claim, stored)
            }
        }
    }

    /// Reads a binding of any layout; `nil` if there is none.
    func read(_ key: ObjectKey) async throws(AccountError) -> (claim: OlderClaim, stored: StoredObject?)? {
        do {
            let found = try await storing { () throws(ObjectStoreError) in
                try await store.get(key, limit: OlderClaim.limit)
            }
            return found.map { (OlderClaim($0.bytes), $0) }
        } catch .corrupted {
            return (.unreadable, nil)
        }
    }

    private func move(
        _ object: ListedObject, _ claim: OlderClaim, _ stored: StoredObject?
    ) async throws(AccountError) {
        let key = object.key.description
        if case .current(let current) = claim { return try await resume(key, current) }
        switch OlderIdentity.place(of: object.key) {
        case .unplaced(let kind): tally.tell(kind, nil, key)
        case .identity(let identity):
            tally.count { $0.claims += 1 }
            guard case .account(let user) = claim, let stored else { return tally.tell(.claimUnreadable, nil, key) }
            for other in identity.keys where other != object.key {
                guard let (found, _) = try await read(other) else { continue }
                // A binding of this layout is compared below.
                if case .current = found { continue }
                guard found == claim else { return tally.tell(.claimConflict, user, key) }
            }
            try await move(object, identity, user, stored)
        }
    }

    /// Handles a binding that was already replaced in place. Its import record states whether the replacement was
    /// recorded.
    private func resume(_ key: String, _ claim: Claim) async throws(AccountError) {
        guard let record = try await records.load(claim.user, about: key) else { return }
        tally.count {
            $0.claims += 1
            $0.claimsMoved += 1
        }
        if !isDry, !record.value.isDone { try await records.finish(record) }
    }

    private func move(
        _ object: ListedObject, _ identity: OlderIdentity, _ user: UserID, _ stored: StoredObject
    ) async throws(AccountError) {
        let key = object.key.description
        let names = try rules.names(identity.provider, identity.subject)
        let known = try await records.load(user, about: key)
        if known?.value.isDone == true { return tally.count { $0.claimsMoved += 1 } }
        if names.key != object.key, let (found, _) = try await read(names.key) {
            guard case .current(let current) = found, current.user == user else {
                return tally.tell(.claimTaken, user, key)
            }
        }
        if let account = try await directory.account(user), try await !directory.isTakenIn(account.value) {
            return tally.tell(.accountTaken, user, key)
        }
        guard !isDry else { return }
        let record = if let known { known } else { try await note(object, names.key, user) }
        let (_, link) = try await directory.takeIn(identity, names, as: user, claimedAt: object.lastModified)
        let own = Claim(user: user, link: link.id)
        if names.key == object.key {
            _ = try await storing { () throws(ObjectStoreError) in
                try await directory.documents.writes.put(names.key, own.bytes, if: .matches(stored.etag))
            }
        } else {
            _ = try await directory.claims.write(own, at: names.key)
        }
        guard try await isMoved(names.key, user) else { return tally.tell(.claimTaken, user, key) }
        try await records.finish(record)
        tally.count { $0.claimsMoved += 1 }
    }

    private func note(
        _ object: ListedObject, _ destination: ObjectKey, _ user: UserID
    ) async throws(AccountError) -> Stored<MoveRecord> {
        let isInPlace = destination == object.key
        let before = isInPlace ? try await content(of: object.key) : nil
        return try await records.create(
            MoveRecord(
                user: user, source: MoveRecord.Source(object, md5: nil), destination: destination.description,
                replaced: before?.bytes, attributes: before?.attributes ?? [:], wasThere: false
            )
        )
    }

    /// Returns whether a binding, its account and its link agree.
    func isMoved(_ key: ObjectKey, _ user: UserID) async throws(AccountError) -> Bool {
        guard let (found, _) = try await read(key), case .current(let claim) = found, claim.user == user,
            let account = try await directory.account(user)
        else { return false }
        return account.value.lists(claim, at: key)
    }

    /// Reads a small object completely, so that undo can restore it.
    func content(of key: ObjectKey) async throws(AccountError) -> (bytes: Data, attributes: ObjectAttributes)? {
        guard
            let info = try await storing({ () throws(ObjectStoreError) in try await store.head(key) }),
            let object = try await storing({ () throws(ObjectStoreError) in try await store.get(key) })
        else { return nil }
        return (Data(object.bytes.readableBytesView), info.attributes)
    }
}

extension MoveRecord.Source {
    init(_ object: ListedObject, md5: String?) {
        self.init(
            key: object.key.description, tag: object.etag.description, size: object.size,
            writtenAt: object.lastModified, md5: md5
        )
    }
}
