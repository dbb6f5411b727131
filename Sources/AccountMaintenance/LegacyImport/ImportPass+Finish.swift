import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Completes or undoes an import, record by record.
extension ImportPass {
    /// Verifies every import record again.
    /// - Parameter removing: whether to remove the records, and the source objects whose copies are verified.
    func finish(removing: Bool) async throws(AccountError) {
        try await forEachConcurrently(of: Listing(store, prefix: StorageLayout.legacyMoves)) { object in
            { () throws(AccountError) in
                guard let record = try await records.load(object.key)?.value else { return }
                if let source = record.source { try await finish(record, source, removing: removing) }
                if removing { try await records.remove(object.key) }
            }
        }
    }

    private func finish(
        _ record: ImportRecord, _ source: ImportRecord.Source, removing: Bool
    ) async throws(AccountError) {
        tally.count { if record.isBinding { $0.claims += 1 } else { $0.files += 1 } }
        if let problem = try await problem(with: record, source) {
            return tally.record(problem, record.user, source.key)
        }
        tally.count { if record.isBinding { $0.claimsMoved += 1 } else { $0.filesMoved += 1 } }
        if removing { try await remove(source, of: record) }
    }

    private func problem(
        with record: ImportRecord, _ source: ImportRecord.Source
    ) async throws(AccountError) -> ImportFinding.Kind? {
        guard record.isDone else { return .unfinished }
        guard let md5 = source.md5 else {
            return try await isImported(record.destinationKey, record.user) ? nil : .destinationMissing
        }
        switch try await holds(record.destinationKey, source.size, md5) {
        case true?: return nil
        case false?: return .destinationChanged
        case nil: return .destinationMissing
        }
    }

    private func remove(_ source: ImportRecord.Source, of record: ImportRecord) async throws(AccountError) {
        guard source.key != record.destination else { return }
        let key = ObjectKey(known: source.key)
        let isGone = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await directory.documents.writes.delete(key, if: .matches(ETag(source.tag)))
        }
        if isGone { return tally.count { $0.removed += 1 } }
        guard try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.head(key) }) != nil else {
            return
        }
        tally.record(.sourceChanged, record.user, source.key)
    }

    /// Returns a user whose data would be lost by undoing: an account that is in use or that no import created.
    func blockingUser(isNewStore: Bool) async throws(AccountError) -> UserID? {
        var folders = AccountFolders(store)
        while let folder = try await folders.next() {
            guard try await records.hasRecords(of: folder.user) else {
                guard isNewStore else { continue }
                return folder.user
            }
            guard let account = try await directory.account(folder.user) else { continue }
            guard directory.isUntouched(folder, account.value) else { return folder.user }
        }
        return nil
    }

    /// Removes everything that was written for the source objects.
    func rollBack() async throws(AccountError) {
        var last: UserID?
        try await records.forEach(below: StorageLayout.legacyMoves) { (key, record) throws(AccountError) in
            if record.user != last { try await removeAccount(record.user) }
            last = record.user
            try await rollBack(record)
            try await records.remove(key)
            tally.count { $0.removed += 1 }
        }
    }

    private func rollBack(_ record: ImportRecord) async throws(AccountError) {
        if let replaced = record.replaced {
            let bytes = ByteBuffer(bytes: replaced)
            _ = try await mapStoreErrors { () throws(ObjectStoreError) in
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
