import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Moves all claims of a store to another spelling of subjects, or to hashes under another master key, beside running
/// servers. `docs/account-protocol.md` says why no moment of it loses an identity.
///
/// Every step may stop anywhere and is done again by the same call. Until `confirm` everything can be undone.
package struct Migration: Sendable {
    let directory: AccountDirectory
    let pause: @Sendable (TimeInterval) async -> Void
    let report: @Sendable (RepairFinding) -> Void

    /// - Parameters:
    ///   - directory: its key ring's current key is the one that names are hashed under.
    ///   - pause: waits for so many seconds, so that every copy of the service knows of a new phase.
    ///   - report: gets whatever cannot be moved, and claims that are left over, as soon as it is found.
    package init(
        _ directory: AccountDirectory, pause: @escaping @Sendable (TimeInterval) async -> Void,
        report: @escaping @Sendable (RepairFinding) -> Void
    ) {
        self.directory = directory
        self.pause = pause
        self.report = report
    }

    /// Looks at what a move would do and changes nothing.
    package func plan(to subjects: SubjectSpelling.Mode) async throws(MigrationError) -> MigrationSummary {
        try await verify(try rules(try begun(try await stamp().value, to: subjects)))
    }

    /// Begins a move, or carries it on: from here on identities are claimed under both names.
    package func apply(to subjects: SubjectSpelling.Mode) async throws(MigrationError) -> MigrationSummary {
        var stored = try await stamp()
        let begun = try begun(stored.value, to: subjects)
        if stored.value.migration == nil { stored = try await replace(stored, with: begun) }
        return try await carryOver(stored.value)
    }

    /// Ends a move: all is carried over and verified once more, then only the new names count, and the old ones go.
    /// - Throws: `incomplete` when something could not be moved; then nothing has changed.
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

    /// Takes a move back: only the old names count, and the new ones go.
    package func undo() async throws(MigrationError) -> MigrationSummary {
        var stored = try await stamp()
        let phase = try running(stored.value).phase
        guard phase != .confirmed else { throw .isConfirmed }
        if phase == .both {
            stored = try await replace(stored, with: stored.value.entering(.undone, at: directory.now()))
        }
        return try await finish(stored)
    }

    /// The move that is under way.
    package func status() async throws(MigrationError) -> SubjectMigration? { try await stamp().value.migration }

    private func carryOver(_ stamp: StoreStamp) async throws(MigrationError) -> MigrationSummary {
        try await waitUntilKnown(stamp)
        let rules = try rules(stamp)
        // What could not be carried over is told by the verification.
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

    /// Waits until no copy of the service goes by the phase before. A copy that cannot read the stamp does nothing.
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
