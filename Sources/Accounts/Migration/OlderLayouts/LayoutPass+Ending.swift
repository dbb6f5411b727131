import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Completes or undoes an import, record by record.
extension LayoutPass {
    /// Verifies every import record again.
    /// - Parameter removing: whether to remove the records, and the source objects whose copies are verified.
    func settle(removing: Bool) async throws(AccountError) {
        try await eachTogether(of: Listing(store, prefix: StorageLayout.moves)) { object in
            { () throws(AccountError) in
                guard let record = try await records.load(object.key)?.value else { return }
                if let source = record.source { try await settle(record, source, removing: removing) }
                if removing { try await records.remove(object.key) }
            }
        }
    }

    private func settle(
        _ record: MoveRecord, _ source: MoveRecord.Source, removing: Bool
    ) async throws(AccountError) {
        tally.count { if record.isClaim { $0.claims += 1 } else { $0.files += 1 } }
        if let problem = try await problem(with: record, source) {
            return tally.tell(problem, record.user, source.key)
        }
        tally.count { if record.isClaim { $0.claimsMoved += 1 } else { $0.filesMoved += 1 } }
        if removing { try await remove(source, of: record) }
    }

    private func problem(
        with record: MoveRecord, _ source: MoveRecord.Source
    ) async throws(AccountError) -> LayoutFinding.Kind? {
        guard record.isDone else { return .unfinished }
        guard let md5 = source.md5 else {
            return try await isMoved(record.destinationKey, record.user) ? nil : .destinationMissing
        }
        switch try await holds(record.destinationKey, source.size, md5) {
        case true?: return nil
        case false?: return .destinationChanged
        case nil: return .destinationMissing
        }
    }

    private func remove(_ source: MoveRecord.Source, of record: MoveRecord) async throws(AccountError) {
        guard source.key != record.destination else { return }
        let key = ObjectKey(known: source.key)
        let isGone = try await storing { () throws(ObjectStoreError) in
            try await directory.documents.writes.delete(key, if: .matches(ETag(source.tag)))
        }
        if isGone { return tally.count { $0.removed += 1 } }
        guard try await storing({ () throws(ObjectStoreError) in try await store.head(key) }) != nil else { return }
        tally.tell(.sourceChanged, record.user, source.key)
    }

    /// Returns a user whose data would be lost by undoing: an account that is in use or that no import created.
    func userInTheWay(isNewStore: Bool) async throws(AccountError) -> UserID? {
        var folders = AccountFolders(store)
        while let folder = try await folders.next() {
            guard try await records.any(of: folder.user) else {
                guard isNewStore else { continue }
                return folder.user
            }
            guard let account = try await directory.account(folder.user) else { continue }
            guard directory.isUntouched(folder, account.value) else { return folder.user }
        }
        return nil
    }

    /// Removes everything that was written for the source objects.
    func takeBack() async throws(AccountError) {
        var last: UserID?
        try await records.forEach(below: StorageLayout.moves) { (key, record) throws(AccountError) in
            if record.user != last { try await removeAccount(record.user) }
            last = record.user
            try await takeBack(record)
            try await records.remove(key)
            tally.count { $0.removed += 1 }
        }
    }

    private func takeBack(_ record: MoveRecord) async throws(AccountError) {
        if let replaced = record.replaced {
            let bytes = ByteBuffer(bytes: replaced)
            _ = try await storing { () throws(ObjectStoreError) in
                try await store.write(
                    record.destinationKey, ObjectBody(bytes), attributes: record.attributes, if: .always)
            }
        } else if !record.wasThere {
            try await records.remove(record.destinationKey)
        }
    }

    /// The document is removed last, so that a partly removed account can be recognized.
    private func removeAccount(_ user: UserID) async throws(AccountError) {
        let document = AccountDirectory.key(user)
        var listing = Listing(store, prefix: StorageLayout.account(user))
        while let object = try await listing.next() {
            if object.key != document { try await records.remove(object.key) }
        }
        try await records.remove(document)
    }
}
