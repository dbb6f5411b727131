/// A change that a command of this device made to the trash, for undoing it.
///
/// It consists of the catalog records that the command committed. Each has a Lamport timestamp that no other change has,
/// so that an entry that was changed since is recognized.
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

/// Records the changes of this device to the trash before they are committed. Only the last one is kept.
package protocol TrashChangeRecorder: Sendable {
    func record(_ change: TrashChange) async -> TrashRecording
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
    /// - Returns: The result, and whether the changes can be undone.
    /// - Throws: `notRecorded` if an older record would remain.
    package func commit(
        _ changes: [CatalogChange], onto version: Version, recordedAs command: TrashChange.Command
    ) async throws(CatalogError) -> (result: CommitResult, isRecorded: Bool) {
        var isRecorded = false
        let effective = version.catalog.effectiveChanges(in: changes)
        if let recorder, !effective.isEmpty {
            // The date is unknown before the commit; any date marks an entry in the trash.
            let records = Catalog(effective, after: version.counter, by: device, trashed: 1)
            switch await recorder.record(TrashChange(command, records)) {
            case .recorded: isRecorded = true
            case .notRecorded: break
            case .outdated: throw .notRecorded
            }
        }
        return (try await commit(changes, onto: version), isRecorded)
    }
}
