import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The store manifest, which records the progress of an import and prevents servers from starting.
extension LegacyImport {
    /// Returns the store manifest; `nil` if no server ever started.
    func storedManifest() async throws(LegacyImportError) -> Stored<StoreManifest>? {
        let recovery = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await manifests.store.head(RecoveryMarker.key)
        }
        guard recovery == nil else { throw .manifest(.recoveryInProgress) }
        let found = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await manifests.load(StoreManifest.key)
        }
        do {
            if let found {
                try found.value.check(environment, subjects)
                try found.value.check(keyRing)
            }
        } catch {
            throw .manifest(error)
        }
        if found == nil { try await rejectLostManifest() }
        return found
    }

    /// A store that has accounts but no manifest is not a legacy store.
    private func rejectLostManifest() async throws(LegacyImportError) {
        let accounts = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await manifests.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1)
        }
        if let account = accounts.objects.first { throw .manifest(.manifestMissing(account.key.description)) }
    }

    /// Returns the manifest for a new store.
    func makeManifest() throws(LegacyImportError) -> StoreManifest {
        do {
            return try StoreManifest(
                environment: environment, subjects: subjects ?? .plain, keyRing: keyRing, createdAt: now())
        } catch {
            throw .account(.secrets(error))
        }
    }

    /// Returns the manifest with a resumed or new import, once every server knows of it.
    func begin() async throws(LegacyImportError) -> Stored<StoreManifest> {
        guard let stored = try await storedManifest() else {
            return try await create(try makeManifest().withLegacyImport(LegacyImportState(isNewStore: true, at: now())))
        }
        var current = stored
        switch stored.value.layoutMove?.phase {
        case .confirmed: throw .alreadyConfirmed
        case .undone: throw .undoInProgress
        case .moving: break
        case .moved: current = try await transition(.moving, from: stored)
        case nil:
            guard stored.value.migration == nil else { throw .rekeyingInProgress }
            let begun = stored.value.withLegacyImport(LegacyImportState(isNewStore: false, at: now()))
            current = try await replace(stored, with: begun)
        }
        try await waitForInstances(current.value)
        try await requireFullCount()
        return current
    }

    /// Returns the manifest and the import in progress.
    func activeImport() async throws(LegacyImportError) -> (Stored<StoreManifest>, LegacyImportState) {
        guard let stored = try await storedManifest(), let move = stored.value.layoutMove else { throw .notInProgress }
        return (stored, move)
    }

    /// Enters another phase of the import.
    func transition(
        _ phase: LegacyImportState.Phase, from stored: Stored<StoreManifest>
    ) async throws(LegacyImportError) -> Stored<StoreManifest> {
        try await replace(
            stored, with: stored.value.withLegacyImport(stored.value.layoutMove?.entering(phase, at: now())))
    }

    /// Waits until no server uses the previous phase, if one may run.
    func waitForInstances(_ manifest: StoreManifest) async throws(LegacyImportError) {
        guard let move = manifest.layoutMove, move.wasServable else { return }
        let known = move.since.addingTimeInterval(RekeyingSchedule(manifest.environment).phaseDelay)
        while now() < known { await pause(known.timeIntervalSince(now())) }
    }

    /// Makes the next usage job count all accounts, because an import changes them without recording it.
    func requireFullCount() async throws(LegacyImportError) {
        do {
            try await manifests.writes.delete(ObjectKey(known: StorageLayout.lease("usage")), if: .always)
        } catch {
            throw .account(.store(error))
        }
    }

    private func create(_ manifest: StoreManifest) async throws(LegacyImportError) -> Stored<StoreManifest> {
        do {
            return try await manifests.create(StoreManifest.key, manifest)
        } catch .preconditionFailed {
            throw .conflict
        } catch {
            throw .account(.store(error))
        }
    }

    /// Writes the manifest, unless it was changed concurrently.
    func replace(
        _ stored: Stored<StoreManifest>, with next: StoreManifest
    ) async throws(LegacyImportError) -> Stored<StoreManifest> {
        do {
            return try await manifests.replace(StoreManifest.key, stored, with: next)
        } catch .preconditionFailed {
            // The conflicting write may be ours: the transport can repeat a request and return the second response.
            var expected = next
            expected.version = stored.value.version + 1
            guard let found = try await storedManifest(), found.value == expected else { throw .conflict }
            return found
        } catch {
            throw .account(.store(error))
        }
    }

    /// Restores the state before the store's first start.
    func removeManifest(_ stored: Stored<StoreManifest>) async throws(LegacyImportError) {
        _ = try await mapStoreErrors { () throws(ObjectStoreError) in
            try await manifests.writes.delete(StoreManifest.key, if: .matches(stored.etag))
        }
    }

    private func mapStoreErrors<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(LegacyImportError) -> Value {
        try await mapAccountErrors { () throws(AccountError) in try await AccountError.mapStoreErrors(request) }
    }

    func mapAccountErrors<Value: Sendable>(
        _ step: () async throws(AccountError) -> Value
    ) async throws(LegacyImportError) -> Value {
        do {
            return try await step()
        } catch {
            throw .account(error)
        }
    }
}
