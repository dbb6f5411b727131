import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Imports identities: from bindings of legacy layouts to accounts and bindings of this layout.
extension ImportPass {
    func importBindings() async throws(AccountError) {
        try await forEachConcurrently(of: Listing(store, prefix: StorageLayout.identities)) { object in
            { () throws(AccountError) in
                defer { tally.recordExamined() }
                guard let (binding, stored) = try await readBinding(object.key) else { return }
                try await importBinding(object, binding, stored)
            }
        }
    }

    /// Reads a binding of any layout; `nil` if there is none.
    func readBinding(_ key: ObjectKey) async throws(AccountError) -> (binding: LegacyBinding, stored: StoredObject?)? {
        do {
            let found = try await mapStoreErrors { () throws(ObjectStoreError) in
                try await store.get(key, limit: LegacyBinding.maximumSize)
            }
            return found.map { (LegacyBinding($0.bytes), $0) }
        } catch .corrupted {
            return (.unreadable, nil)
        }
    }

    private func importBinding(
        _ object: ListedObject, _ binding: LegacyBinding, _ stored: StoredObject?
    ) async throws(AccountError) {
        let key = object.key.description
        if case .current(let current) = binding { return try await resume(key, current) }
        switch LegacyIdentity.resolution(of: object.key) {
        case .unresolved(let kind): tally.record(kind, nil, key)
        case .identity(let identity):
            tally.count { $0.claims += 1 }
            guard case .account(let user) = binding, let stored else { return tally.record(.claimUnreadable, nil, key) }
            for other in identity.keys where other != object.key {
                guard let (found, _) = try await readBinding(other) else { continue }
                // A binding of this layout is compared below.
                if case .current = found { continue }
                guard found == binding else { return tally.record(.claimConflict, user, key) }
            }
            try await importBinding(object, identity, user, stored)
        }
    }

    /// Handles a binding that was already replaced in place. Its import record states whether the replacement was
    /// recorded.
    private func resume(_ key: String, _ binding: IdentityBinding) async throws(AccountError) {
        guard let record = try await records.load(binding.user, about: key) else { return }
        tally.count {
            $0.claims += 1
            $0.claimsMoved += 1
        }
        if !isDryRun, !record.value.isDone { try await records.finish(record) }
    }

    private func importBinding(
        _ object: ListedObject, _ identity: LegacyIdentity, _ user: UserID, _ stored: StoredObject
    ) async throws(AccountError) {
        let key = object.key.description
        let names = try resolver.keys(identity.provider, identity.subject)
        let known = try await records.load(user, about: key)
        if known?.value.isDone == true { return tally.count { $0.claimsMoved += 1 } }
        if names.key != object.key, let (found, _) = try await readBinding(names.key) {
            guard case .current(let current) = found, current.user == user else {
                return tally.record(.claimTaken, user, key)
            }
        }
        if let account = try await directory.account(user) {
            guard try await directory.wasImported(account.value) else { return tally.record(.accountTaken, user, key) }
        } else if try await directory.erasures.entry(of: user) != nil {
            return tally.record(.accountDeleted, user, key)
        }
        guard !isDryRun else { return }
        let record = if let known { known } else { try await createRecord(object, names.key, user) }
        let (_, link) = try await directory.importIdentity(identity, names, as: user, claimedAt: object.lastModified)
        let own = IdentityBinding(user: user, link: link.id)
        if names.key == object.key {
            _ = try await mapStoreErrors { () throws(ObjectStoreError) in
                try await directory.documents.writes.put(names.key, own.bytes, if: .matches(stored.etag))
            }
        } else {
            _ = try await directory.bindings.write(own, at: names.key)
        }
        guard try await isImported(names.key, user) else { return tally.record(.claimTaken, user, key) }
        try await records.finish(record)
        tally.count { $0.claimsMoved += 1 }
    }

    private func createRecord(
        _ object: ListedObject, _ destination: ObjectKey, _ user: UserID
    ) async throws(AccountError) -> Stored<ImportRecord> {
        let isInPlace = destination == object.key
        let before = isInPlace ? try await content(of: object.key) : nil
        return try await records.create(
            ImportRecord(
                user: user, source: ImportRecord.Source(object, md5: nil), destination: destination.description,
                replaced: before?.bytes, attributes: before?.attributes ?? [:], wasThere: false
            )
        )
    }

    /// Returns whether a binding, its account and its link agree.
    func isImported(_ key: ObjectKey, _ user: UserID) async throws(AccountError) -> Bool {
        guard let (found, _) = try await readBinding(key), case .current(let binding) = found, binding.user == user,
            let account = try await directory.account(user)
        else { return false }
        return account.value.lists(binding, at: key)
    }

    /// Reads a small object completely, so that undo can restore it.
    func content(of key: ObjectKey) async throws(AccountError) -> (bytes: Data, attributes: ObjectAttributes)? {
        guard
            let info = try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.head(key) }),
            let object = try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.get(key) })
        else { return nil }
        return (Data(object.bytes.readableBytesView), info.attributes)
    }
}

extension ImportRecord.Source {
    init(_ object: ListedObject, md5: String?) {
        self.init(
            key: object.key.description, tag: object.etag.description, size: object.size,
            writtenAt: object.lastModified, md5: md5
        )
    }
}
