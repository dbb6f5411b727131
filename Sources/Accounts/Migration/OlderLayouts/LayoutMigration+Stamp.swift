import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The store manifest, which records the progress of an import and prevents servers from starting.
extension LayoutMigration {
    /// Returns the store manifest; `nil` if no server ever started.
    func known() async throws(LayoutMigrationError) -> Stored<StoreStamp>? {
        let recovery = try await storing { () throws(ObjectStoreError) in
            try await stamps.store.head(RecoveryMarker.key)
        }
        guard recovery == nil else { throw .stamp(.beingRecovered) }
        let found = try await storing { () throws(ObjectStoreError) in try await stamps.load(StoreStamp.key) }
        do {
            if let found {
                try found.value.check(environment, subjects)
                try found.value.check(keyRing)
            }
        } catch {
            throw .stamp(error)
        }
        if found == nil { try await refuseLostStamp() }
        return found
    }

    /// A store that has accounts but no manifest is not a legacy store.
    private func refuseLostStamp() async throws(LayoutMigrationError) {
        let accounts = try await storing { () throws(ObjectStoreError) in
            try await stamps.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1)
        }
        if let account = accounts.objects.first { throw .stamp(.stampLost(account.key.description)) }
    }

    /// Returns the manifest for a new store.
    func fresh() throws(LayoutMigrationError) -> StoreStamp {
        do {
            return try StoreStamp(
                environment: environment, subjects: subjects ?? .plain, keyRing: keyRing, createdAt: now())
        } catch {
            throw .account(.secrets(error))
        }
    }

    /// Returns the manifest with a resumed or new import, once every server knows of it.
    func begin() async throws(LayoutMigrationError) -> Stored<StoreStamp> {
        guard let stored = try await known() else {
            return try await create(try fresh().moving(LayoutMove(isNewStore: true, at: now())))
        }
        var current = stored
        switch stored.value.layoutMove?.phase {
        case .confirmed: throw .isConfirmed
        case .undone: throw .isBeingUndone
        case .moving: break
        case .moved: current = try await enter(.moving, from: stored)
        case nil:
            guard stored.value.migration == nil else { throw .subjectsAreMoving }
            let begun = stored.value.moving(LayoutMove(isNewStore: false, at: now()))
            current = try await replace(stored, with: begun)
        }
        try await waitUntilKnown(current.value)
        return current
    }

    /// Returns the manifest and the import in progress.
    func running() async throws(LayoutMigrationError) -> (Stored<StoreStamp>, LayoutMove) {
        guard let stored = try await known(), let move = stored.value.layoutMove else { throw .noneIsUnderWay }
        return (stored, move)
    }

    /// Enters another phase of the import.
    func enter(
        _ phase: LayoutMove.Phase, from stored: Stored<StoreStamp>
    ) async throws(LayoutMigrationError) -> Stored<StoreStamp> {
        try await replace(stored, with: stored.value.moving(stored.value.layoutMove?.entering(phase, at: now())))
    }

    /// Waits until no server uses the previous phase, if one may run.
    func waitUntilKnown(_ stamp: StoreStamp) async throws(LayoutMigrationError) {
        guard let move = stamp.layoutMove, move.wasServable else { return }
        let known = move.since.addingTimeInterval(MigrationPace(stamp.environment).wait)
        while now() < known { await pause(known.timeIntervalSince(now())) }
    }

    private func create(_ stamp: StoreStamp) async throws(LayoutMigrationError) -> Stored<StoreStamp> {
        do {
            return try await stamps.create(StoreStamp.key, stamp)
        } catch .preconditionFailed {
            throw .changedMeanwhile
        } catch {
            throw .account(.store(error))
        }
    }

    /// Writes the manifest, unless it was changed concurrently.
    func replace(
        _ stored: Stored<StoreStamp>, with next: StoreStamp
    ) async throws(LayoutMigrationError) -> Stored<StoreStamp> {
        do {
            return try await stamps.replace(StoreStamp.key, stored, with: next)
        } catch .preconditionFailed {
            // The conflicting write may be ours: the transport can repeat a request and return the second response.
            var ours = next
            ours.version = stored.value.version + 1
            guard let found = try await known(), found.value == ours else { throw .changedMeanwhile }
            return found
        } catch {
            throw .account(.store(error))
        }
    }

    /// Restores the state before the store's first start.
    func removeStamp(_ stored: Stored<StoreStamp>) async throws(LayoutMigrationError) {
        _ = try await storing { () throws(ObjectStoreError) in
            try await stamps.writes.delete(StoreStamp.key, if: .matches(stored.etag))
        }
    }

    private func storing<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(LayoutMigrationError) -> Value {
        try await doing { () throws(AccountError) in try await AccountError.storing(request) }
    }

    func doing<Value: Sendable>(
        _ step: () async throws(AccountError) -> Value
    ) async throws(LayoutMigrationError) -> Value {
        do {
            return try await step()
        } catch {
            throw .account(error)
        }
    }
}
