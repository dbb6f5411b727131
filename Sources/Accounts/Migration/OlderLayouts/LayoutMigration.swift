import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Imports a store in a legacy layout into this one. `docs/account-protocol.md` describes the steps,
/// `docs/storage-layout.md` where each object belongs.
///
/// Every step may be interrupted and is repeated by the same call. Source objects are not removed before `confirm`;
/// until then `undo` reverts everything, unless the imported data is already in use.
package struct LayoutMigration: Sendable {
    let stamps: Documents<StoreStamp>
    let keyRing: KeyRing
    let now: @Sendable () -> Date
    let environment: DeploymentEnvironment
    let subjects: SubjectSpelling.Mode?
    private let randomness: Randomness
    private let catalogs: any OlderCatalogs
    private let atOnce: Int
    let pause: @Sendable (TimeInterval) async -> Void
    private let report: @Sendable (LayoutFinding) -> Void

    /// - Parameters:
    ///   - subjects: the requested key encoding; `nil` for the store's own, or plain in a new store.
    ///   - atOnce: the number of objects processed concurrently.
    ///   - pause: waits a number of seconds, so that every instance knows of a new phase.
    ///   - report: receives each object that cannot be imported as it is found; called concurrently.
    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, environment: DeploymentEnvironment,
        subjects: SubjectSpelling.Mode?, catalogs: any OlderCatalogs, atOnce: Int = 8,
        now: @escaping @Sendable () -> Date, randomness: Randomness,
        pause: @escaping @Sendable (TimeInterval) async -> Void, report: @escaping @Sendable (LayoutFinding) -> Void
    ) {
        stamps = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.environment = environment
        self.subjects = subjects
        self.randomness = randomness
        self.catalogs = catalogs
        self.atOnce = max(1, atOnce)
        self.pause = pause
        self.report = report
    }

    /// Returns what an import would do, without changing anything.
    package func plan() async throws(LayoutMigrationError) -> LayoutSummary {
        let stamp = if let known = try await known() { known.value } else { try fresh() }
        let pass = try pass(stamp, isDry: true)
        return try await run(pass) { () throws(AccountError) in
            try await pass.moveClaims()
            try await pass.moveFiles()
            try await pass.tellUnclaimed()
        }
    }

    /// Copies every object that has a destination; begins or resumes an import.
    package func apply() async throws(LayoutMigrationError) -> LayoutSummary {
        let stored = try await begin()
        let pass = try pass(stored.value, isDry: false)
        let summary = try await run(pass) { () throws(AccountError) in
            try await pass.moveClaims()
            try await pass.moveFiles()
            try await pass.listPhotos()
        }
        _ = try await enter(.moved, from: stored)
        return summary
    }

    /// Completes an import: verifies everything again, then removes the source objects.
    /// - Throws: `incomplete` if a copy is unfinished or has changed; nothing has changed then.
    package func confirm() async throws(LayoutMigrationError) -> LayoutSummary {
        var (stored, move) = try await running()
        if move.phase != .confirmed {
            guard move.phase == .moved else { throw move.phase == .undone ? .isBeingUndone : .isUnfinished }
            let look = try pass(stored.value, isDry: true)
            let summary = try await run(look) { () throws(AccountError) in try await look.settle(removing: false) }
            guard summary.isConfirmable else { throw .incomplete(summary) }
            stored = try await enter(.confirmed, from: stored)
        }
        let pass = try pass(stored.value, isDry: false)
        let summary = try await run(pass) { () throws(AccountError) in try await pass.settle(removing: true) }
        _ = try await replace(stored, with: stored.value.moving(nil))
        return summary
    }

    /// Undoes an import: removes everything that it wrote.
    /// - Throws: `inUse` if imported data is in use; nothing has changed then.
    package func undo() async throws(LayoutMigrationError) -> LayoutSummary {
        var (stored, move) = try await running()
        guard move.phase != .confirmed else { throw .isConfirmed }
        // After an interrupted undo the earlier phase is unknown; the import can resume from `moving`.
        let before = move.phase == .undone ? .moving : move.phase
        if move.phase != .undone {
            // Checked first, so that a refused undo causes no outage, and again once no server can start.
            try await requireUnused(move, try pass(stored.value, isDry: true))
            stored = try await enter(.undone, from: stored)
        }
        try await waitUntilKnown(stored.value)
        let pass = try pass(stored.value, isDry: false)
        do {
            try await requireUnused(move, pass)
        } catch .inUse(let user) {
            _ = try await enter(before, from: stored)
            throw .inUse(user)
        }
        let summary = try await run(pass) { () throws(AccountError) in try await pass.takeBack() }
        if move.isNewStore {
            try await removeStamp(stored)
        } else {
            _ = try await replace(stored, with: stored.value.moving(nil))
        }
        return summary
    }

    private func requireUnused(_ move: LayoutMove, _ pass: LayoutPass) async throws(LayoutMigrationError) {
        let user = try await doing { () throws(AccountError) in
            try await pass.userInTheWay(isNewStore: move.isNewStore)
        }
        if let user { throw .inUse(user) }
    }

    /// Returns the import in progress.
    package func status() async throws(LayoutMigrationError) -> LayoutMove? { try await known()?.value.layoutMove }

    private func run(
        _ pass: LayoutPass, _ act: () async throws(AccountError) -> Void
    ) async throws(LayoutMigrationError) -> LayoutSummary {
        try await doing(act)
        return pass.tally.total
    }

    private func pass(_ stamp: StoreStamp, isDry: Bool) throws(LayoutMigrationError) -> LayoutPass {
        do {
            let naming = try NamingWatch(
                stamp, readAt: now(), store: stamps.store, keyRing: keyRing, retry: stamps.writes.retry, now: now
            )
            let directory = AccountDirectory(
                store: stamps.store, naming: naming, keyRing: keyRing, retry: stamps.writes.retry, now: now,
                randomness: randomness
            )
            return LayoutPass(
                directory: directory, rules: try SubjectNaming(stamp, keyRing: keyRing), catalogs: catalogs,
                isDry: isDry, atOnce: atOnce, tally: LayoutTally(report)
            )
        } catch {
            throw .stamp(error)
        }
    }
}
