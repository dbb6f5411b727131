import Accounts
import PhotolalaAPI
import Synchronization

/// The progress of an import that copies objects.
package final class ImportProgress: Sendable {
    /// Numbers of bindings and users' objects.
    package struct Counts: Sendable, Equatable {
        /// Objects that are at their destination in this layout.
        package var imported = 0
        /// Users' objects that stay where they are.
        package var inPlace = 0
        /// Findings that need a decision.
        package var failed = 0
        /// Objects that were not examined yet.
        package var remaining = 0
    }

    private let remaining = Mutex(0)
    private let summary = Mutex(ImportSummary())

    package init() {}

    package var counts: Counts {
        let summary = summary.withLock { $0 }
        return Counts(
            imported: summary.claimsMoved + summary.filesMoved, inPlace: summary.filesInPlace,
            failed: summary.findings, remaining: max(0, remaining.withLock { $0 }))
    }

    /// Starts with this number of objects.
    func begin(_ objects: Int) { remaining.withLock { $0 = objects } }

    func recordExamined() { remaining.withLock { $0 -= 1 } }

    func update(_ current: ImportSummary) { summary.withLock { $0 = current } }

    /// Objects that were removed since they were counted do not remain.
    func finish() { begin(0) }
}

extension ImportPass {
    /// Counts the objects to examine, at the cost of their listings.
    func countObjects(for progress: ImportProgress) async throws(AccountError) {
        var objects = 0
        for prefix in [StorageLayout.identities] + StorageLayout.legacyFolders {
            var listing = Listing(store, prefix: prefix)
            while try await listing.next() != nil { objects += 1 }
        }
        progress.begin(objects)
    }
}
