/// A change that a command of this device made to the trash, for undoing it.
///
/// It consists of the catalog records that the command committed. Each has a Lamport timestamp that no other change has,
/// so that an entry that was changed since is recognized. The record of a renamed file's new entry has the state that
/// the entry had then.
package struct TrashChange: Sendable, Equatable {
    /// The kind of command.
    package enum Command: String, Sendable, Codable, CaseIterable {
        /// Moved photos to the trash.
        case trash
        /// Restored photos from the trash.
        case restore
        /// Moved photos to the trash that were removed from a synced folder or source, or restored them.
        case sync
    }

    package let command: Command
    /// The committed records, without facts. Their trash dates are not the committed ones.
    package let records: Catalog

    package init(_ command: Command, _ records: Catalog) { (self.command, self.records) = (command, records) }
}

extension TrashChange {
    /// Returns whether the change is in a catalog, or was and all its entries were changed since. One commit makes all
    /// of a change, so that one entry with an older state proves that it was not made.
    func isCommitted(in catalog: Catalog) -> Bool {
        records.records.indices.allSatisfy { row in
            let made = records.records[row]
            let now = catalog.index(of: records.path(at: row), made.md5).map { catalog.records[$0].trashChanged }
            return now ?? .zero >= made.trashChanged
        }
    }

    /// Returns the index of the first change that is committed.
    package static func firstCommitted(of changes: [TrashChange], in catalog: Catalog) -> Int? {
        changes.firstIndex { $0.isCommitted(in: catalog) }
    }
}

/// Records the changes of this device to the trash before they are committed. Keeps the last one, and the one before it
/// in case that the last one is not committed.
package protocol TrashChangeRecorder: Sendable {
    /// - Parameter catalog: The catalog to which the change will be committed.
    func record(_ change: TrashChange, onto catalog: Catalog) async -> TrashRecording
}

/// The outcome of recording a change.
package enum TrashRecording: Sendable, Equatable {
    case recorded
    /// The change was not recorded, and no older one is.
    case notRecorded
    /// The change was not recorded, but an older one still is.
    case outdated
}

extension CatalogStore {
    /// Commits changes to the trash after recording them. A crash between the two leaves a record of changes that were
    /// not made, which is recognized by their timestamps.
    /// - Parameter renamed: The new entries of renamed files whose old entries are moved to the trash. An undo moves
    ///   these entries to the trash.
    /// - Returns: The result, and whether the changes can be undone.
    /// - Throws: `notRecorded` if an older record would remain.
    package func commit(
        _ changes: [CatalogChange], onto version: Version, recordedAs command: TrashChange.Command,
        renamed: [EntryIdentity] = []
    ) async throws(CatalogError) -> (result: CommitResult, isRecorded: Bool) {
        var isRecorded = false
        let effective = version.catalog.effectiveChanges(in: changes)
        if let recorder, !effective.isEmpty {
            // The date is unknown before the commit; any date marks an entry in the trash.
            var records = Catalog(effective, after: version.counter, by: device, trashed: 1)
            records.join(version.catalog.trashStates(of: renamed))
            switch await recorder.record(TrashChange(command, records), onto: version.catalog) {
            case .recorded: isRecorded = true
            case .notRecorded: break
            case .outdated: throw .notRecorded
            }
        }
        return (try await commit(changes, onto: version), isRecorded)
    }
}
