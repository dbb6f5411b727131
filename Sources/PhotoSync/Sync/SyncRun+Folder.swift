import Foundation
import PhotoCatalog
import PhotolalaAPI

/// Downloads new entries to the folder, and moves removed files to the folder's trash.
extension SyncRun {
    mutating func applyToFolder(_ plan: SyncPlan) async {
        guard !plan.isEmpty, !Task.isCancelled else {
            if Task.isCancelled { summary.ending = .cancelled }
            return
        }
        do throws(FileError) {
            var rest = plan.arrivals
            let stuck = blockedEntries(plan)
            if !stuck.isEmpty { rest.removeAll { stuck.contains($0.identity) } }
            let leaving = plan.departures.filter { !stuck.contains($0.synced.entry) }
            var taken = try await moveToTrash(leaving, wanted: rest)
            rest += try await moveFreedToTrash(stuck, plan, &taken)
            if !taken.stayed.isEmpty { rest.removeAll { $0.entry.path.isAtOrBelow(taken.stayed) } }
            try await clearTargets(of: rest)
            var placed = PlacedFiles(self)
            rest = try await finishDepartures(taken, rest, &placed)
            if Task.isCancelled { summary.ending = .cancelled } else { await fetch(rest, &placed) }
            try await savePlaced(placed)
        } catch {
            summary.ending = TransferEnding(error)
        }
    }

    /// Moves files whose new path became free when other files left a folder with that name.
    /// - Returns: The entries that arrive there.
    private mutating func moveFreedToTrash(
        _ stuck: Set<EntryIdentity>, _ plan: SyncPlan, _ taken: inout DepartureResult
    ) async throws(FileError) -> [SyncPlan.Arrival] {
        guard !stuck.isEmpty else { return [] }
        try await clearTargets(of: plan.arrivals.filter { stuck.contains($0.identity) })
        let freed = stuck.subtracting(self.blockedEntries(plan))
        let arrivals = plan.arrivals.filter { freed.contains($0.identity) }
        let more = try await moveToTrash(plan.departures.filter { freed.contains($0.synced.entry) }, wanted: arrivals)
        taken.left += more.left
        taken.stayed.formUnion(more.stayed)
        taken.moved.merge(more.moved, uniquingKeysWith: +)
        return arrivals
    }

    /// Removes empty folders that have the names of arriving files.
    private func clearTargets(of arrivals: [SyncPlan.Arrival]) async throws(FileError) {
        let (folder, paths) = (folder, arrivals.map(\.entry.path))
        guard !paths.isEmpty, !Task.isCancelled else { return }
        try await FileWork.run { () throws(FileError) in
            for path in paths { folder.removeEmpty(path.name, in: path.folders) }
        }
    }

    /// Stores the pending records in a task that is not cancelled, even if this one is.
    private func savePlaced(_ placed: PlacedFiles) async throws(FileError) {
        let result = await Task { () -> Result<Void, FileError> in
            var placed = placed
            do throws(FileError) { return .success(try await placed.save()) } catch { return .failure(error) }
        }.value
        try result.get()
    }

    /// Returns the entries whose file cannot be moved because another file is at the new path.
    private func blockedEntries(_ plan: SyncPlan) -> Set<EntryIdentity> {
        guard !plan.departures.isEmpty else { return [] }
        let targets = Dictionary(
            plan.arrivals.map { ($0.identity, $0.entry.path) }, uniquingKeysWith: { first, _ in first })
        return plan.departures.reduce(into: []) { stuck, departure in
            let entry = departure.synced.entry
            guard let target = targets[entry], local[target] == nil,
                let home = try? folder.descend(target.folders, makes: false),
                let there = try? home.fingerprint(of: target.name), there != departure.photo.file.fingerprint
            else { return }
            stuck.insert(entry)
        }
    }

    /// Downloads entries from the store.
    private mutating func fetch(_ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles) async {
        guard !arrivals.isEmpty else { return }
        // Only entries whose own path differs from the path in the folder.
        let names = arrivals.lazy.filter { $0.identity.path != $0.entry.path }.map { ($0.entry.path, $0.identity.path) }
        let entryPaths = Dictionary(names, uniquingKeysWith: { first, _ in first })
        let report = report
        summary.toFolder = await sync.restore.restore(
            arrivals.map(\.entry), of: arrivals.reduce(0) { $0.addingCapped($1.entry.size) }, into: folder,
            { report(.toFolder($0)) },
            settled: { entry, outcome in
                var path = entry.path
                switch outcome {
                case .restored: break
                case .restoredBeside(let name):
                    guard let beside = LibraryPath((path.folders + [name]).joined(separator: "/")) else { return }
                    path = beside
                    placed.recordRemoval(entry.path)
                // The next sync determines the path.
                case .alreadyThere, .failed: return
                }
                let entryPath = entryPaths[entry.path] ?? entry.path
                placed.record(
                    SyncedFile(path: path, md5: entry.md5, entryPath: entryPath), entry,
                    modified: entry.modified)
                // If this fails, the next sync finds the files to be equal.
                if placed.isBatchFull { try? await placed.save() }
            })
        summary.ending = summary.toFolder.ending
    }
}

extension TransferEnding {
    fileprivate init(_ error: FileError) {
        switch error {
        case .cancelled: self = .cancelled
        case .outOfSpace: self = .stopped(.outOfSpace)
        default: self = .stopped(.folder(error))
        }
    }
}
