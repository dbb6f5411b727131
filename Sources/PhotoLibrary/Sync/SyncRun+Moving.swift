import Foundation

/// Files leave their places in the folder, for its trash or for other places.
///
/// Before a file is brought or taken away it is announced: found there after a crash, it is what was in sync, and not
/// found, nobody removed it.
extension SyncRun {
    /// What became of files that were to leave their places.
    struct Taken {
        /// Those of a content that is wanted elsewhere.
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

    /// Puts what was moved away to where the library has it now.
    /// - Returns: what is still to come.
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
                // It stays in the folder's trash, and comes from the library.
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

    /// Forgets what left its place, announces what is to come, and puts what was moved away to where the library has it
    /// now. A cancellation does not reach this: the person's photos would be left in the folder's trash.
    /// - Returns: what is still to come.
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

    /// What the disk may still show again at its next mount is not forgotten: it would be a new photo then.
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
    /// The file that it becomes.
    fileprivate var file: SyncedFile { SyncedFile(path: entry.path, md5: name.md5, entryPath: name.path) }
}

extension SyncedFile {
    fileprivate func at(_ path: LibraryPath) -> SyncedFile {
        SyncedFile(path: path, md5: md5, entryPath: entryPath, isSettled: isSettled)
    }
}
