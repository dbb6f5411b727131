import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Re-keys all identity bindings of a store to another key encoding, or to hashes under another master key, while
/// servers run. `docs/account-protocol.md` explains why no identity is lost at any point.
///
/// Every step may be interrupted and is repeated by the same call. Until `confirm` everything can be undone.
package struct Migration: Sendable {
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
    package func plan(to subjects: SubjectSpelling.Mode) async throws(MigrationError) -> MigrationSummary {
        try await verify(try rules(try begun(try await stamp().value, to: subjects)))
    }

    /// Begins or resumes re-keying: from here on identities are bound under both keys.
    package func apply(to subjects: SubjectSpelling.Mode) async throws(MigrationError) -> MigrationSummary {
        var stored = try await stamp()
        let begun = try begun(stored.value, to: subjects)
        if stored.value.migration == nil { stored = try await replace(stored, with: begun) }
        return try await carryOver(stored.value)
    }

    /// Completes re-keying: carries everything over and verifies it again, then puts only the new keys in force and
    /// removes the old ones.
    /// - Throws: `incomplete` if something could not be re-keyed. If that happens before only the new keys are in
    ///   force, nothing has changed.
    package func confirm() async throws(MigrationError) -> MigrationSummary {
        var stored = try await stamp()
        let phase = try running(stored.value).phase
        guard phase != .undone else { throw .isBeingUndone }
        if phase == .both {
            let summary = try await carryOver(stored.value)
            guard summary.isWhole else { throw .incomplete(summary) }
            stored = try await replace(stored, with: stored.value.entering(.confirmed, at: directory.now()))
        }
        return try await finish(stored)
    }

    /// Undoes re-keying: puts only the old keys in force and removes the new ones.
    package func undo() async throws(MigrationError) -> MigrationSummary {
        var stored = try await stamp()
        let phase = try running(stored.value).phase
        guard phase != .confirmed else { throw .isConfirmed }
        if phase == .both {
            stored = try await replace(stored, with: stored.value.entering(.undone, at: directory.now()))
        }
        return try await finish(stored)
    }

    /// Returns the re-keying in progress.
    package func status() async throws(MigrationError) -> SubjectMigration? { try await stamp().value.migration }

    private func carryOver(_ stamp: StoreStamp) async throws(MigrationError) -> MigrationSummary {
        try await waitUntilKnown(stamp)
        let rules = try rules(stamp)
        // The verification reports what could not be carried over.
        _ = try await forEachAccount { (account) throws(AccountError) in
            try await carryOver(account, under: rules)
            return true
        }
        return try await verify(rules)
    }

    private func finish(_ stored: Stored<StoreStamp>) async throws(MigrationError) -> MigrationSummary {
        try await waitUntilKnown(stored.value)
        let rules = try rules(stored.value)
        let unsettled = try await forEachAccount { (account) throws(AccountError) in
            try await settle(account, under: rules)
        }
        try await clearClaims()
        let summary = try await verify(rules)
        guard unsettled == 0, rules.phase == .undone || summary.isWhole else { throw .incomplete(summary) }
        _ = try await replace(stored, with: stored.value.ended())
        return summary
    }

    /// Waits until no instance uses the previous phase. An instance that cannot read the manifest does nothing.
    private func waitUntilKnown(_ stamp: StoreStamp) async throws(MigrationError) {
        guard let migration = stamp.migration else { return }
        let known = migration.since.addingTimeInterval(MigrationPace(stamp.environment).wait)
        while directory.now() < known { await pause(known.timeIntervalSince(directory.now())) }
        try await doing { () throws(AccountError) in try await directory.naming.refresh() }
    }

    private func begun(
        _ stamp: StoreStamp, to subjects: SubjectSpelling.Mode
    ) throws(MigrationError) -> StoreStamp {
        let keyID = directory.keyRing.currentKeyID
        if let migration = stamp.migration {
            guard migration.phase == .both, migration.subjects == subjects, migration.subjectKeyID == keyID else {
                throw .isUnderWay(migration)
            }
            return stamp
        }
        guard stamp.layoutMove == nil else { throw .layoutsAreMoving }
        guard stamp.subjects != subjects || stamp.subjectKeyID != keyID else { throw .nothingToDo }
        do {
            return stamp.migrating(
                try SubjectMigration(to: subjects, keyRing: directory.keyRing, at: directory.now())
            )
        } catch {
            throw .account(.secrets(error))
        }
    }

    private func running(_ stamp: StoreStamp) throws(MigrationError) -> SubjectMigration {
        guard let migration = stamp.migration else { throw .noneIsUnderWay }
        return migration
    }

    private func rules(_ stamp: StoreStamp) throws(MigrationError) -> SubjectNaming {
        do {
            return try SubjectNaming(stamp, keyRing: directory.keyRing)
        } catch {
            throw .account(.unknownNames(error))
        }
    }
}
