import Foundation

/// Moves files in the folder, to its trash or to other paths.
///
/// Before a file is placed or removed, this is announced. After a crash, a file found at an announced path counts as in
/// sync, and a missing one does not count as removed by the user.
extension SyncRun {
    /// The results of removing files from their paths.
    struct Taken {
        /// Files whose content is needed at another path.
        var moved: [ContentDigest: [LocalTrash.Place]] = [:]
        var left: [LibraryPath] = []
        var stayed: Set<LibraryPath> = []
    }

    /// Moves files to the folder's trash.
    mutating func takeAway(
        _ departures: [SyncPlan.Departure], wanted: [SyncPlan.Arrival]
    ) async throws(FileError) -> Taken {
        var taken = Taken()
        guard !departures.isEmpty else { return taken }
        var wanted = wanted.reduce(into: [ContentDigest: Int]()) { $0[$1.name.md5, default: 0] += 1 }
        try await announce(departures.map { SyncRow.inSync($0.synced.at($0.photo.path).unsettled) })
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
                    try trash.take(photo.path, photo.file.stamp, md5)
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
        _ moved: [ContentDigest: [LocalTrash.Place]], at arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async -> [SyncPlan.Arrival] {
        guard !moved.isEmpty else { return arrivals }
        var (moved, rest) = (moved, [SyncPlan.Arrival]())
        let trash = LocalTrash(root: folder, day: "")
        for arrival in arrivals {
            guard let place = moved[arrival.name.md5]?.popLast() else {
                rest.append(arrival)
                continue
            }
            let path = arrival.entry.path
            let isPlaced = await result { () throws(FileError) in try trash.give(place, to: path) }
            if isPlaced {
                placed.note(arrival.file, arrival.entry, modified: place.modified)
                summary.movedFiles += 1
            } else {
                // The file stays in the folder's trash, and the entry is downloaded.
                summary.trashedFiles.append(path)
                rest.append(arrival)
            }
        }
        return rest
    }

    private func result(_ work: @escaping @Sendable () throws(FileError) -> Void) async -> Bool {
        do {
            try await FileWork.run(work)
            return true
        } catch { return false }
    }

    /// Removes the records of files that left their paths, announces the arrivals, and moves files to their new paths.
    /// Runs in a task that is not cancelled, because photos could otherwise remain in the folder's trash.
    /// - Returns: The arrivals that remain.
    mutating func settle(
        _ taken: Taken, _ arrivals: [SyncPlan.Arrival], _ placed: inout PlacedFiles
    ) async throws(FileError) -> [SyncPlan.Arrival] {
        guard !taken.left.isEmpty || !arrivals.isEmpty else { return [] }
        let before = (run: self, placed: placed)
        let result = await Task { () -> Result<(SyncRun, PlacedFiles, [SyncPlan.Arrival]), FileError> in
            var (run, placed) = before
            do throws(FileError) {
                try await run.forget(taken.left)
                try await run.announce(arrivals.map { SyncRow.inSync($0.file.unsettled) })
                let rest = await run.putBack(taken.moved, at: arrivals, &placed)
                return .success((run, placed, rest))
            } catch { return .failure(error) }
        }.value
        let (after, notes, rest) = try result.get()
        (summary, placed) = (after.summary, notes)
        return rest
    }

    /// Removes records after a flush only: a file that reappears at the next mount would be treated as a new photo.
    private func forget(_ paths: [LibraryPath]) async throws(FileError) {
        guard !paths.isEmpty else { return }
        let (folder, memory, flush) = (folder, memory, sync.flush)
        try await FileWork.run { () throws(FileError) in
            try flush(folder)
            try memory.write(paths.map(SyncRow.gone))
        }
    }

    private func announce(_ rows: [SyncRow]) async throws(FileError) {
        let memory = memory
        try await FileWork.run { () throws(FileError) in try memory.announce(rows) }
    }
}

extension SyncPlan.Arrival {
    /// The file that the arrival creates.
    fileprivate var file: SyncedFile { SyncedFile(path: entry.path, md5: name.md5, entryPath: name.path) }
}

extension SyncedFile {
    fileprivate func at(_ path: LibraryPath) -> SyncedFile {
        SyncedFile(path: path, md5: md5, entryPath: entryPath, isSettled: isSettled)
    }
}
