import Foundation
import PhotoCatalog

/// Moves files in the folder, to its trash or to other paths.
///
/// Before a file is placed or removed, this is announced. After a crash, a file found at an announced path counts as in
/// sync, and a missing one does not count as removed by the user.
extension SyncRun {
    /// The results of removing files from their paths.
    struct DepartureResult {
        /// Files whose content is needed at another path.
        var moved: [ContentDigest: [LocalTrash.Location]] = [:]
        var left: [LibraryPath] = []
        var stayed: Set<LibraryPath> = []
    }

    /// Moves files to the folder's trash.
    mutating func moveToTrash(
        _ departures: [SyncPlan.Departure], wanted: [SyncPlan.Arrival]
    ) async throws(FileError) -> DepartureResult {
        var taken = DepartureResult()
        guard !departures.isEmpty else { return taken }
        var wanted = wanted.reduce(into: [ContentDigest: Int]()) { $0[$1.identity.md5, default: 0] += 1 }
        try await recordIntent(departures.map { SyncRow.inSync($0.synced.at($0.photo.path).notInPlace) })
        let day = Timestamp(seconds: Int64(sync.backup.now().timeIntervalSince1970), nanoseconds: 0)
        let trash = LocalTrash(root: folder, day: String(day.description.prefix(10)))
        for departure in departures {
            let (photo, md5) = (departure.photo, departure.synced.md5)
            if Task.isCancelled {
                taken.stayed.insert(photo.path)
                continue
            }
            do throws(FileError) {
                let place = try await FileWork.run { () throws(FileError) in
                    try trash.moveIn(photo.path, photo.file.fingerprint, md5)
                }
                guard let place else {
                    taken.stayed.insert(photo.path)
                    summary.waitingFiles += 1
                    continue
                }
                taken.left.append(photo.path)
                if let count = wanted[md5], count > 0 {
                    wanted[md5] = count - 1
                    taken.moved[md5, default: []].append(place)
                } else {
                    summary.trashedFiles.append(photo.path)
                }
            } catch {
                taken.stayed.insert(photo.path)
                if error != .cancelled { summary.failures.append((photo.path, error)) }
            }
        }
        return taken
    }

    /// Moves files from the folder's trash to their new paths.
    /// - Returns: The arrivals that remain.
    private mutating func putBack(
        _ moved: [ContentDigest: [LocalTrash.Location]], at arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async -> [SyncPlan.Arrival] {
        guard !moved.isEmpty else { return arrivals }
        var (moved, rest) = (moved, [SyncPlan.Arrival]())
        let trash = LocalTrash(root: folder, day: "")
        for arrival in arrivals {
            guard let place = moved[arrival.identity.md5]?.popLast() else {
                rest.append(arrival)
                continue
            }
            let path = arrival.entry.path
            let isPlaced = await succeeds { () throws(FileError) in try trash.moveOut(place, to: path) }
            if isPlaced {
                placed.record(arrival.file, arrival.entry, modified: place.modified)
                summary.movedFiles += 1
            } else {
                // The file stays in the folder's trash, and the entry is downloaded.
                summary.trashedFiles.append(path)
                rest.append(arrival)
            }
        }
        return rest
    }

    private func succeeds(_ work: @escaping @Sendable () throws(FileError) -> Void) async -> Bool {
        do {
            try await FileWork.run(work)
            return true
        } catch { return false }
    }

    /// Removes the records of files that left their paths, announces the arrivals, and moves files to their new paths.
    /// Runs in a task that is not cancelled, because photos could otherwise remain in the folder's trash.
    /// - Returns: The arrivals that remain.
    mutating func finishDepartures(
        _ taken: DepartureResult, _ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async throws(FileError) -> [SyncPlan.Arrival] {
        guard !taken.left.isEmpty || !arrivals.isEmpty else { return [] }
        let before = (run: self, placed: placed)
        let result = await Task { () -> Result<(SyncRun, PlacedFiles, [SyncPlan.Arrival]), FileError> in
            var (run, placed) = before
            do throws(FileError) {
                try await run.recordRemovals(taken.left)
                try await run.recordIntent(arrivals.map { SyncRow.inSync($0.file.notInPlace) })
                let rest = await run.putBack(taken.moved, at: arrivals, &placed)
                return .success((run, placed, rest))
            } catch { return .failure(error) }
        }.value
        let (after, notes, rest) = try result.get()
        (summary, placed) = (after.summary, notes)
        return rest
    }

    /// Removes records after a flush only: a file that reappears at the next mount would be treated as a new photo.
    private func recordRemovals(_ paths: [LibraryPath]) async throws(FileError) {
        guard !paths.isEmpty else { return }
        let (folder, memory, flush) = (folder, syncState, sync.flush)
        try await FileWork.run { () throws(FileError) in
            try flush(folder)
            try memory.write(paths.map(SyncRow.removed))
        }
    }

    private func recordIntent(_ rows: [SyncRow]) async throws(FileError) {
        let memory = syncState
        try await FileWork.run { () throws(FileError) in try memory.recordIntent(rows) }
    }
}

extension SyncPlan.Arrival {
    /// The file that the arrival creates.
    fileprivate var file: SyncedFile { SyncedFile(path: entry.path, md5: identity.md5, entryPath: identity.path) }
}

extension SyncedFile {
    fileprivate func at(_ path: LibraryPath) -> SyncedFile {
        SyncedFile(path: path, md5: md5, entryPath: entryPath, isSettled: isInPlace)
    }
}
