import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Imports a store in a legacy layout into this one. `docs/legacy-import.md` describes the steps and
/// where each object belongs.
///
/// Every step may be interrupted and is repeated by the same call. Source objects are not removed before `confirm`;
/// until then `undo` reverts everything, unless the imported data is already in use.
package struct LegacyImport: Sendable {
    let manifests: Documents<StoreManifest>
    let keyRing: KeyRing
    let now: @Sendable () -> Date
    let environment: DeploymentEnvironment
    let subjects: KeyEncoding.Mode?
    private let randomness: Randomness
    private let catalogs: any LegacyCatalogs
    private let concurrency: Int
    let pause: @Sendable (TimeInterval) async -> Void
    private let progress: ImportProgress?
    private let report: @Sendable (ImportFinding) -> Void

    /// - Parameters:
    ///   - subjects: the requested key encoding; `nil` for the store's own, or plain in a new store.
    ///   - concurrency: the number of objects processed concurrently.
    ///   - progress: receives the progress of `apply`, which then lists all objects first.
    ///   - pause: waits a number of seconds, so that every instance knows of a new phase.
    ///   - report: receives each object that cannot be imported as it is found; called concurrently.
    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, environment: DeploymentEnvironment,
        subjects: KeyEncoding.Mode?, catalogs: any LegacyCatalogs, concurrency: Int = 8,
        now: @escaping @Sendable () -> Date, randomness: Randomness, progress: ImportProgress? = nil,
        pause: @escaping @Sendable (TimeInterval) async -> Void, report: @escaping @Sendable (ImportFinding) -> Void
    ) {
        manifests = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.environment = environment
        self.subjects = subjects
        self.randomness = randomness
        self.catalogs = catalogs
        self.concurrency = max(1, concurrency)
        self.progress = progress
        self.pause = pause
        self.report = report
    }

    /// Returns what an import would do, without changing anything.
    package func plan() async throws(LegacyImportError) -> ImportSummary {
        let manifest = if let known = try await storedManifest() { known.value } else { try makeManifest() }
        let pass = try makePass(manifest, isDryRun: true)
        return try await run(pass) { () throws(AccountError) in
            try await pass.importBindings()
            try await pass.importFiles()
            try await pass.reportUnboundUsers()
        }
    }

    /// Copies every object that has a destination; begins or resumes an import.
    package func apply() async throws(LegacyImportError) -> ImportSummary {
        let stored = try await begin()
        let pass = try makePass(stored.value, isDryRun: false)
        let summary = try await run(pass) { () throws(AccountError) in
            if let progress { try await pass.countObjects(for: progress) }
            try await pass.importBindings()
            try await pass.importFiles()
            try await pass.addPhotosToCatalogs()
            progress?.finish()
        }
        _ = try await transition(.moved, from: stored)
        return summary
    }

    /// Completes an import: verifies everything again, then removes the source objects.
    /// - Throws: `incomplete` if a copy is unfinished or has changed; nothing has changed then.
    package func confirm() async throws(LegacyImportError) -> ImportSummary {
        var (stored, move) = try await activeImport()
        if move.phase != .confirmed {
            guard move.phase == .moved else { throw move.phase == .undone ? .undoInProgress : .unfinished }
            let check = try makePass(stored.value, isDryRun: true)
            let summary = try await run(check) { () throws(AccountError) in try await check.finish(removing: false) }
            guard summary.isConfirmable else { throw .incomplete(summary) }
            stored = try await transition(.confirmed, from: stored)
        }
        let pass = try makePass(stored.value, isDryRun: false)
        let summary = try await run(pass) { () throws(AccountError) in try await pass.finish(removing: true) }
        _ = try await replace(stored, with: stored.value.withLegacyImport(nil))
        return summary
    }

    /// Undoes an import: removes everything that it wrote.
    /// - Throws: `inUse` if imported data is in use; nothing has changed then.
    package func undo() async throws(LegacyImportError) -> ImportSummary {
        var (stored, move) = try await activeImport()
        guard move.phase != .confirmed else { throw .alreadyConfirmed }
        // After an interrupted undo the earlier phase is unknown; the import can resume from `moving`.
        let before = move.phase == .undone ? .moving : move.phase
        if move.phase != .undone {
            // Checked first, so that a refused undo causes no outage, and again once no server can start.
            try await requireUnused(move, try makePass(stored.value, isDryRun: true))
            stored = try await transition(.undone, from: stored)
        }
        try await waitForInstances(stored.value)
        try await requireFullCount()
        let pass = try makePass(stored.value, isDryRun: false)
        do {
            try await requireUnused(move, pass)
        } catch .inUse(let user) {
            _ = try await transition(before, from: stored)
            throw .inUse(user)
        }
        let summary = try await run(pass) { () throws(AccountError) in try await pass.rollBack() }
        if move.isNewStore {
            try await removeManifest(stored)
        } else {
            _ = try await replace(stored, with: stored.value.withLegacyImport(nil))
        }
        return summary
    }

    private func requireUnused(_ move: LegacyImportState, _ pass: ImportPass) async throws(LegacyImportError) {
        let user = try await mapAccountErrors { () throws(AccountError) in
            try await pass.blockingUser(isNewStore: move.isNewStore)
        }
        if let user { throw .inUse(user) }
    }

    /// Returns the import in progress.
    package func status() async throws(LegacyImportError) -> LegacyImportState? {
        try await storedManifest()?.value.layoutMove
    }

    private func run(
        _ pass: ImportPass, _ body: () async throws(AccountError) -> Void
    ) async throws(LegacyImportError) -> ImportSummary {
        try await mapAccountErrors(body)
        return pass.tally.total
    }

    private func makePass(_ manifest: StoreManifest, isDryRun: Bool) throws(LegacyImportError) -> ImportPass {
        do {
            let naming = try ManifestCache(
                manifest, readAt: now(), store: manifests.store, keyRing: keyRing, retry: manifests.writes.retry,
                now: now
            )
            let directory = AccountDirectory(
                store: manifests.store, naming: naming, keyRing: keyRing, retry: manifests.writes.retry, now: now,
                randomness: randomness
            )
            return ImportPass(
                directory: directory, resolver: try BindingKeyResolver(manifest, keyRing: keyRing), catalogs: catalogs,
                isDryRun: isDryRun, concurrency: concurrency, tally: ImportTally(progress, report)
            )
        } catch {
            throw .manifest(error)
        }
    }
}
