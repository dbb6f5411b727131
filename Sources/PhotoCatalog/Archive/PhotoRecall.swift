import ObjectStorage
import PhotolalaAPI

/// Requests archived photos of a library from the store's archives, so that they can be read some hours later. Photos are
/// not read. A further run requests only what is still archived.
package struct PhotoRecall: Sendable {
    /// The number of contents that are requested in parallel.
    private static let parallelRequests = 16
    /// A page of a listing takes as long as about this many requests for single contents.
    private static let requestsPerPage = 12
    private static let pageLength = 1000
    /// The recall stops when this many contents in a row get no response.
    private static let failuresInARow = 8

    private let catalogs: CatalogStore
    private let known: CatalogStore.Version?
    private let archive: (any ArchiveRetrieval)?

    /// - Parameters:
    ///   - catalogs: The library. In a store without archives, all photos are readable.
    ///   - known: The last catalog that was read, so that only what is new is read.
    package init(_ catalogs: CatalogStore, known: CatalogStore.Version? = nil) {
        (self.catalogs, self.known) = (catalogs, known)
        archive = catalogs.store as? any ArchiveRetrieval
    }

    /// The contents to request.
    package struct Plan: Sendable {
        fileprivate let entries: CatalogEntries
        /// The number of all entries of the library.
        fileprivate let libraryCount: Int
    }

    /// Reads the catalog and selects photos with the files that belong to them, each content once.
    package func plan(_ selection: PhotoSelection) async throws(SelectionError) -> Plan {
        let selected = try await catalogs.select(selection, after: known)
        return Plan(entries: selected.completed.distinctContents, libraryCount: selected.all.count)
    }

    /// Requests the archived ones among the contents. Reads a listing unless they are few, and sends a HEAD for each
    /// content that may be archived: a listing does not report restored copies.
    /// - Parameter request: How to request them; `nil` only estimates time and cost.
    /// - Throws: Only if the listing fails.
    package func run(
        _ plan: Plan, _ request: RetrievalRequest?, report: (RecallProgress) -> Void = { _ in }
    ) async throws(ObjectStoreError) -> RecallSummary {
        let entries = plan.entries
        var summary = RecallSummary(wantedFiles: entries.count)
        var progress = RecallProgress(entries)
        report(progress)
        guard let archive else {
            summary.readableFiles = entries.count
            return summary
        }
        let listed = try await listing(of: plan)
        var failuresInARow = 0
        await withTaskGroup(of: (CatalogEntry, RecallOutcome).self) { group in
            var (remaining, running) = (entries[...], 0)
            while true {
                while running < Self.parallelRequests, summary.ending == .completed, !Task.isCancelled,
                    let entry = remaining.popFirst()
                {
                    if let known = Self.outcome(listed, entry) {
                        summary.record(entry, known)
                        progress.count(entry)
                        continue
                    }
                    let key = ObjectKey(known: StorageLayout.photo(catalogs.user, md5: entry.md5.description))
                    let isListed = listed != nil
                    group.addTask { (entry, await Self.outcome(of: key, isListed: isListed, request, archive)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(entry, outcome)
                progress.count(entry)
                report(progress)
                failuresInARow = outcome.isUnanswered ? failuresInARow + 1 : 0
                guard case .failed(let error) = outcome else { continue }
                // Every other request would be denied, too.
                if case .denied = error { summary.ending = .stopped(error) }
                if failuresInARow == Self.failuresInARow { summary.ending = .stopped(error) }
            }
        }
        report(progress)
        if Task.isCancelled, progress.finishedFiles < entries.count { summary.ending = .cancelled }
        return summary
    }

    /// Returns for each stored content whether it may be archived; `nil` if requests for the single contents are faster
    /// than a listing.
    private func listing(of plan: Plan) async throws(ObjectStoreError) -> [ContentDigest: Bool]? {
        let pages = plan.libraryCount / Self.pageLength + 1
        guard plan.entries.count > pages * Self.requestsPerPage else { return nil }
        let contents = Set(plan.entries.map(\.md5))
        var found: [ContentDigest: Bool] = [:]
        let prefix = StorageLayout.photos(catalogs.user)
        var after: String?
        while true {
            let page = try await catalogs.store.list(prefix: prefix, after: after, limit: Self.pageLength)
            for object in page.objects {
                let name = object.key.description.dropFirst(prefix.count)
                guard name.hasSuffix(".dat"), let md5 = ContentDigest(name.dropLast(4)), contents.contains(md5) else {
                    continue
                }
                found[md5] = object.mayBeArchived
            }
            guard page.isTruncated, let last = page.objects.last else { return found }
            after = last.key.description
        }
    }

    /// Returns what a listing tells about a content; `nil` if it needs a request.
    private static func outcome(_ listed: [ContentDigest: Bool]?, _ entry: CatalogEntry) -> RecallOutcome? {
        guard let listed else { return nil }
        guard let mayBeArchived = listed[entry.md5] else { return .missing }
        return mayBeArchived ? nil : .readable
    }

    /// - Parameter isListed: Whether a listing shows the content in a storage class whose objects may be archived.
    private static func outcome(
        of key: ObjectKey, isListed: Bool, _ request: RetrievalRequest?, _ archive: any ArchiveRetrieval
    ) async -> RecallOutcome {
        do {
            if !isListed || request == nil {
                switch try await archive.archiveState(key) {
                case nil: return .missing
                case .readable: return .readable
                case .restoring: return .inProgress
                case .archived(let kind): if request == nil { return .archived(kind) }
                }
            }
            guard let request, let outcome = try await archive.restoreFromArchive(key, request) else {
                return .missing
            }
            return switch outcome {
            case .started(let time): .requested(within: time)
            case .inProgress: .inProgress
            case .available: .readable
            case .tierUnavailable: .tierUnavailable
            }
        } catch {
            return .failed(error)
        }
    }
}

/// The outcome for one content.
enum RecallOutcome: Sendable {
    case readable
    case missing
    /// Archived and not requested.
    case archived(ArchiveKind)
    case requested(within: Duration)
    case inProgress
    case tierUnavailable
    case failed(ObjectStoreError)

    /// Whether the store did not respond.
    fileprivate var isUnanswered: Bool {
        switch self {
        case .failed(.unavailable), .failed(.outcomeUnknown): true
        default: false
        }
    }
}
