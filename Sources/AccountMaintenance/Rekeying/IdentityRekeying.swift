import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Re-keys all identity bindings of a store to another key encoding, or to hashes under another master key, while
/// servers run. `docs/account-protocol.md` explains why no identity is lost at any point.
///
/// Every step may be interrupted and is repeated by the same call. Until `confirm` everything can be undone.
package struct IdentityRekeying: Sendable {
    let directory: AccountDirectory
    let pause: @Sendable (TimeInterval) async -> Void
    let report: @Sendable (RepairFinding) -> Void

    /// - Parameters:
    ///   - directory: its key ring's current key is used for hashes.
    ///   - pause: waits a number of seconds, so that every instance knows of a new phase.
    ///   - report: receives each binding that cannot be re-keyed, and each stale binding, as it is found.
    package init(
        _ directory: AccountDirectory, pause: @escaping @Sendable (TimeInterval) async -> Void,
        report: @escaping @Sendable (RepairFinding) -> Void
    ) {
        self.directory = directory
        self.pause = pause
        self.report = report
    }

    /// Returns what re-keying would do, without changing anything.
    package func plan(to subjects: KeyEncoding.Mode) async throws(RekeyingError) -> RekeyingSummary {
        try await verify(try resolver(try begin(try await manifest().value, to: subjects)))
    }

    /// Begins or resumes re-keying: from here on identities are bound under both keys.
    package func apply(to subjects: KeyEncoding.Mode) async throws(RekeyingError) -> RekeyingSummary {
        var stored = try await manifest()
        let begun = try begin(stored.value, to: subjects)
        if stored.value.migration == nil { stored = try await replace(stored, with: begun) }
        return try await bindNewKeys(stored.value)
    }

    /// Completes re-keying: carries everything over and verifies it again, then puts only the new keys in force and
    /// removes the old ones.
    /// - Throws: `incomplete` if something could not be re-keyed. If that happens before only the new keys are in
    ///   force, nothing has changed.
    package func confirm() async throws(RekeyingError) -> RekeyingSummary {
        var stored = try await manifest()
        let phase = try activeRekeying(stored.value).phase
        guard phase != .undone else { throw .undoInProgress }
        if phase == .both {
            let summary = try await bindNewKeys(stored.value)
            guard summary.isComplete else { throw .incomplete(summary) }
            stored = try await replace(stored, with: stored.value.withRekeyingPhase(.confirmed, at: directory.now()))
        }
        return try await finish(stored)
    }

    /// Undoes re-keying: puts only the old keys in force and removes the new ones.
    package func undo() async throws(RekeyingError) -> RekeyingSummary {
        var stored = try await manifest()
        let phase = try activeRekeying(stored.value).phase
        guard phase != .confirmed else { throw .alreadyConfirmed }
        if phase == .both {
            stored = try await replace(stored, with: stored.value.withRekeyingPhase(.undone, at: directory.now()))
        }
        return try await finish(stored)
    }

    /// Returns the re-keying in progress.
    package func status() async throws(RekeyingError) -> RekeyingState? { try await manifest().value.migration }

    private func bindNewKeys(_ manifest: StoreManifest) async throws(RekeyingError) -> RekeyingSummary {
        try await waitForInstances(manifest)
        let resolver = try self.resolver(manifest)
        // The verification reports what could not be carried over.
        _ = try await forEachAccount { (account) throws(AccountError) in
            try await bindNewKeys(account, under: resolver)
            return true
        }
        return try await verify(resolver)
    }

    private func finish(_ stored: Stored<StoreManifest>) async throws(RekeyingError) -> RekeyingSummary {
        try await waitForInstances(stored.value)
        let resolver = try self.resolver(stored.value)
        let unfinished = try await forEachAccount { (account) throws(AccountError) in
            try await finalize(account, under: resolver)
        }
        try await removeUnlistedBindings()
        let summary = try await verify(resolver)
        guard unfinished == 0, resolver.phase == .undone || summary.isComplete else { throw .incomplete(summary) }
        _ = try await replace(stored, with: stored.value.withRekeyingEnded())
        return summary
    }

    /// Waits until no instance uses the previous phase. An instance that cannot read the manifest does nothing.
    private func waitForInstances(_ manifest: StoreManifest) async throws(RekeyingError) {
        guard let migration = manifest.migration else { return }
        let known = migration.since.addingTimeInterval(RekeyingSchedule(manifest.environment).phaseDelay)
        while directory.now() < known { await pause(known.timeIntervalSince(directory.now())) }
        try await mapAccountErrors { () throws(AccountError) in try await directory.manifestCache.refresh() }
    }

    private func begin(
        _ manifest: StoreManifest, to subjects: KeyEncoding.Mode
    ) throws(RekeyingError) -> StoreManifest {
        let keyID = directory.keyRing.currentKeyID
        if let migration = manifest.migration {
            guard migration.phase == .both, migration.subjects == subjects, migration.subjectKeyID == keyID else {
                throw .alreadyInProgress(migration)
            }
            return manifest
        }
        guard manifest.layoutMove == nil else { throw .legacyImportInProgress }
        guard manifest.subjects != subjects || manifest.subjectKeyID != keyID else { throw .nothingToDo }
        do {
            return manifest.withRekeying(
                try RekeyingState(to: subjects, keyRing: directory.keyRing, at: directory.now())
            )
        } catch {
            throw .account(.secrets(error))
        }
    }

    private func activeRekeying(_ manifest: StoreManifest) throws(RekeyingError) -> RekeyingState {
        guard let migration = manifest.migration else { throw .notInProgress }
        return migration
    }

    private func resolver(_ manifest: StoreManifest) throws(RekeyingError) -> BindingKeyResolver {
        do {
            return try BindingKeyResolver(manifest, keyRing: directory.keyRing)
        } catch {
            throw .account(.bindingKeysUnavailable(error))
        }
    }
}
