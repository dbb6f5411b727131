import Foundation
import ObjectStorage
import PhotolalaAPI

/// Deletes accounts: schedules, cancels, and turns an account into a tombstone.
extension AccountDirectory {
    /// Schedules the deletion of an account: ends all its sessions, and limits it to sign-ins and reading. Writes the
    /// deletion record first, so that no scheduled deletion is forgotten.
    /// - Parameters:
    ///   - session: the requesting session; `nil` for an operator.
    ///   - support: the reason of the operator who requests it.
    /// - Throws: `deletionScheduled` if it is scheduled already.
    package func scheduleDeletion(
        of account: Stored<AccountDocument>, by session: ActingSession?, support: OperatorReason? = nil
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await deletions.schedule(account.value.serviceUserID, at: now())
        let id = randomness.uuid()
        return try await change(account, by: session) { (document) throws(AccountError) in
            guard document.state == .active else { throw .deletionScheduled }
            if let session { try document.requireValid(session, at: now()) }
            let date = now().addingTimeInterval(deletionUndoPeriod)
            try document.scheduleDeletion(
                id, at: now(), undoPeriod: deletionUndoPeriod,
                support.map { .init(action: .deletionRequested, reason: $0, effectiveAt: date, at: now()) }
                    ?? .init(action: .deletionRequested, device: session?.device, effectiveAt: date, at: now()))
        }
    }

    /// Cancels the scheduled deletion of an account. The sessions that it ended stay ended. The record is removed by the
    /// job.
    /// - Parameters:
    ///   - id: the deletion to cancel; `nil` for any.
    ///   - session: the session that requests it; `nil` for an undo code or an operator.
    ///   - support: the reason of the operator who requests it.
    /// - Throws: `noDeletionScheduled`; `lastProvider` if the account has no identity left.
    package func cancelDeletion(
        _ id: UUID? = nil, of account: Stored<AccountDocument>, by session: ActingSession?,
        support: OperatorReason? = nil
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account, by: session) { (document) throws(AccountError) in
            // An account that a backup brought back was deleted before, and its person has the receipt.
            guard document.state == .deleting, id == nil || id == document.deletion?.id,
                document.deletion?.actor != .service
            else { throw .noDeletionScheduled }
            if let session { try document.requireValid(session, at: now()) }
            // Operators moved the last identity to another account.
            guard document.links.contains(where: { $0.state != .removing }) else { throw .lastProvider }
            document.state = .active
            document.deletion = nil
            try document.audit.append(
                support.map { .init(action: .deletionCancelled, reason: $0, at: now()) }
                    ?? .init(action: .deletionCancelled, device: session?.device, at: now()))
        }
    }

    /// Writes the record of a scheduled or unfinished deletion if it is missing, as after a recovery from a snapshot that was
    /// taken while the deletion was requested. One read for an account that is being deleted.
    /// - Returns: whether it was missing.
    @discardableResult
    package func ensureDeletionRecord(of account: AccountDocument) async throws(AccountError) -> Bool {
        guard account.state == .deleting || account.state == .deleted,
            try await deletions.record(account.serviceUserID) == nil
        else { return false }
        try await deletions.schedule(account.serviceUserID, at: now())
        return true
    }

    /// Reads the account if sign-ins and sessions may use it; `nil` otherwise. One read.
    package func usableAccount(_ user: UserID) async throws(AccountError) -> Stored<AccountDocument>? {
        guard let account = try await account(user), account.value.isUsable, try await !isErased(account.value) else {
            return nil
        }
        return account
    }

    /// Returns whether an account was deleted before, so that nothing may use it. No request, unless it is in the ledger.
    package func isErased(_ account: AccountDocument) async throws(AccountError) -> Bool {
        if account.deletion?.actor == .service { return true }
        return try await erased.contains(account.serviceUserID)
    }

    /// Returns whether an account was deleted before: a backup, or an earlier state of an object, brought it back. One read
    /// for an account that may have been.
    package func isResurrected(
        _ account: AccountDocument, among erased: ErasedAccounts
    ) async throws(AccountError) -> Bool {
        // A tombstone is being erased, and an erasure that is scheduled again is not found again.
        guard account.isUsable, account.deletion?.actor != .service, erased.mayContain(account.serviceUserID) else {
            return false
        }
        return try await erasures.entry(of: account.serviceUserID) != nil
    }

    /// Schedules the erasure of an account that was deleted before. It cannot be cancelled for long: it is due at once.
    package func scheduleErasure(of account: Stored<AccountDocument>) async throws(AccountError) {
        try await deletions.schedule(account.value.serviceUserID, at: now())
        let id = randomness.uuid()
        _ = try await change(account) { (document) throws(AccountError) in
            try document.scheduleDeletion(
                id, at: now(), undoPeriod: 0, .init(action: .deletionRequested, actor: .service, at: now()))
        }
    }

    /// Turns an account whose deletion is due into a tombstone, which opens nothing. Idempotent.
    /// - Returns: the tombstone; `nil` if the deletion was cancelled, is not due, or waits for a legal hold.
    package func makeTombstone(
        of account: Stored<AccountDocument>
    ) async throws(AccountError) -> Stored<AccountDocument>? {
        guard account.value.state != .deleted else { return account }
        do {
            let changed = try await change(account) { (document) throws(AccountError) in
                guard document.state == .deleting, let deletion = document.deletion, deletion.erasesAt <= now(),
                    document.legalHold == nil
                else { throw .noDeletionScheduled }
                document.state = .deleted
                try document.audit.append(.init(action: .accountDeleted, actor: .service, at: now()))
            }
            return changed.value.state == .deleted ? changed : nil
        } catch .noDeletionScheduled {
            return nil
        }
    }

    /// Removes the bindings and hints of a tombstone, under every key at which its links may be bound. Others stay.
    package func removeBindings(of tombstone: AccountDocument) async throws(AccountError) {
        for (key, binding) in try await ownBindings(of: tombstone) {
            if let binding {
                try await bindings.remove(binding, at: key)
            } else {
                _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                    try await documents.writes.delete(key, if: .always)
                }
            }
        }
    }

    /// Returns the stored bindings and hints of an account's links. One that cannot be read counts as its own, without a
    /// value: the account lists its key.
    package func ownBindings(
        of account: AccountDocument
    ) async throws(AccountError) -> [(key: ObjectKey, binding: Stored<IdentityBinding>?)] {
        var found: [(key: ObjectKey, binding: Stored<IdentityBinding>?)] = []
        for key in bindingKeys(of: account) {
            do {
                guard let binding = try await bindings.read(key), binding.value.user == account.serviceUserID else {
                    continue
                }
                found.append((key, binding))
            } catch {
                switch error {
                case .corrupted, .store(.tooLarge), .store(.corrupted): found.append((key, nil))
                default: throw error
                }
            }
        }
        return found
    }

    /// Returns the keys at which an account's identities and hints may be bound, each once: links with one e-mail address
    /// share a hint.
    package func bindingKeys(of account: AccountDocument) -> [ObjectKey] {
        var seen: Set<ObjectKey> = []
        return account.links.flatMap { link in
            link.bindingKeys.keys + (link.emailHint.map { [ObjectKey(known: StorageLayout.emailHint($0))] } ?? [])
        }.filter { seen.insert($0).inserted }
    }

    /// Removes a tombstone. The last step of a deletion.
    package func removeTombstone(_ tombstone: Stored<AccountDocument>) async throws(AccountError) {
        guard tombstone.value.state == .deleted else { throw .noDeletionScheduled }
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(tombstone.value.serviceUserID), if: .matches(tombstone.etag))
        }
    }
}
