import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Adds cameras and durations to the catalog, for stored photos and videos that lack one of them there. Fetches the bytes with
/// the metadata, at most 1 MiB in 16 requests, and for durations that only the tool finds the beginning and the end of the
/// video, at most 9 MiB.
struct MissingDetails: Sendable {
    let reader: PhotoReader
    let media: StoredMedia
    let maker: any PictureMaker
    /// The folder of temporary files.
    let folder: String
    let pause: Backoff

    /// The version of what is read. Contents that were examined by another one are read again.
    static let version = "details 1"
    /// The number of bytes that are read first. EXIF of a JPEG has at most 64 KiB, and stands at its beginning.
    static let headLength: Int64 = 64 << 10
    /// The number of contents that are read at the same time.
    private static let parallelFiles = 6
    /// The run stops when this many contents in a row fail at the store.
    private static let failuresInARow = 8
    /// The number of contents after which the examined ones are stored on this device.
    private static let savedContents = 1000

    private enum Outcome: Sendable {
        case read(MediaFacts)
        /// The tool makes nothing of correct files either.
        case broken(PictureToolFailure)
        /// The tool is not installed, or the run was cancelled.
        case untried
        case failed(RestoreFailure)
    }

    struct Summary: Sendable {
        /// The number of contents of which a camera or a duration was added.
        var described = 0
        /// The number of contents that were not read because they are archived.
        var archived = 0
        var failures: [(path: LibraryPath, failure: RestoreFailure)] = []
        var ending = TransferEnding.completed
        /// Why the run stopped: the tool makes nothing of correct files.
        var toolFailure: PictureToolFailure?
    }

    /// Returns whether an entry lacks a camera or a duration that may be found.
    func isMissing(_ entry: CatalogEntry) -> Bool {
        let lacksDuration = entry.media.duration == nil
        return entry.media.camera == nil && MediaReading.findsCamera(in: entry.type)
            || lacksDuration && MediaReading.findsDuration(in: entry.type)
            || lacksDuration && isForTool(entry) && !maker.isMissing
    }

    private func isForTool(_ entry: CatalogEntry) -> Bool {
        maker.statesDuration(of: entry.type) && PictureFile.hasDuration(entry.type, size: entry.size)
    }

    /// Reads all entries. What was committed or found missing is not read again by the next run.
    /// - Parameters:
    ///   - examined: Receives the contents that were read, and is stored in a file now and then.
    ///   - report: Called for each entry that was read.
    func run(
        _ entries: CatalogEntries, _ commits: FactCommits, _ examined: inout ExaminedContents, in file: String,
        report: @escaping @Sendable (LibraryPath, Int) -> Void
    ) async -> Summary {
        var (commits, summary) = (commits, Summary())
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, Outcome).self) { group in
            var (remaining, running, finished) = (entries[...], 0, 0)
            while true {
                while running < Self.parallelFiles, summary.ending == .completed, summary.toolFailure == nil,
                    !Task.isCancelled, let entry = remaining.popFirst()
                {
                    group.addTask { (entry, await read(entry)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                switch outcome {
                case .read(let facts):
                    commits.add(facts, of: entry.md5)
                    streak.reset()
                case .broken(let failure): summary.toolFailure = failure
                case .untried: continue
                case .failed(.archived):
                    summary.archived += 1
                    streak.reset()
                case .failed(let failure):
                    if Task.isCancelled { continue }
                    summary.record(failure, of: entry.path, &streak)
                }
                if commits.isCommitDue { await commit(&commits, &summary) }
                finished += 1
                if finished.isMultiple(of: Self.savedContents) {
                    examined.contents.formUnion(commits.settled)
                    await examined.save(to: file)
                }
                report(entry.path, finished)
            }
            if Task.isCancelled, summary.ending == .completed, !remaining.isEmpty { summary.ending = .cancelled }
        }
        await commit(&commits, &summary)
        examined.contents.formUnion(commits.settled)
        if summary.ending == .completed, let reason = await streak.reasonToStop(asking: reader.store, user: reader.user)
        {
            summary.ending = .stopped(reason)
        }
        return summary
    }

    private func commit(_ commits: inout FactCommits, _ summary: inout Summary) async {
        let count = commits.count
        do {
            try await commits.commit()
            summary.described += count
        } catch {
            if summary.ending == .completed { summary.ending = .stopped(.catalog(error)) }
        }
    }

    /// Reads what is missing; returns nothing else.
    private func read(_ entry: CatalogEntry) async -> Outcome {
        var facts = MediaFacts()
        do throws(RestoreFailure) {
            if MediaReading.findsCamera(in: entry.type) {
                let found = try await media.reading(of: entry).facts
                if entry.media.camera == nil { facts.camera = found.camera }
                if entry.media.duration == nil { facts.duration = found.duration }
            }
            guard entry.media.duration == nil, facts.duration == nil, isForTool(entry) else { return .read(facts) }
            return try await durationByTool(of: entry, facts)
        } catch { return .failed(error) }
    }

    private func durationByTool(of entry: CatalogEntry, _ facts: MediaFacts) async throws(RestoreFailure) -> Outcome {
        let file: PictureFile
        do { file = try await PictureFile(of: entry.md5, type: entry.type, in: folder) } catch { throw .file(error) }
        let made: Result<Pictures, ThumbnailError>
        do throws(RestoreFailure) {
            let isComplete = try await StoredVideo(reader: reader, entry: entry, pause: pause).write(to: file)
            made = isComplete ? await pictures(of: file.path, entry.type) : .failure(.notMade)
        } catch {
            await file.remove()
            throw error
        }
        await file.remove()
        switch made {
        case .success(let pictures):
            var facts = facts
            facts.duration = pictures.duration
            return .read(facts)
        case .failure(.missing), .failure(.cancelled): return .untried
        case .failure(.notMade), .failure(.tooSlow), .failure(.toolFailed):
            let failure = await ToolProbe(maker: maker, folder: folder).failure(after: entry.md5, type: entry.type)
            return failure.map { .broken($0) } ?? .read(facts)
        }
    }

    private func pictures(of path: String, _ type: MediaType) async -> Result<Pictures, ThumbnailError> {
        do throws(ThumbnailError) {
            return .success(try await maker.pictures(of: path, type: type, preview: nil))
        } catch {
            return .failure(error)
        }
    }
}

extension MissingDetails.Summary {
    fileprivate mutating func record(
        _ failure: RestoreFailure, of path: LibraryPath, _ streak: inout FailureStreak
    ) {
        failures.append((path, failure))
        switch failure {
        case .store(let error):
            if let reason = streak.reasonToStop(after: error) { ending = .stopped(reason) }
        case .file(.outOfSpace): ending = .stopped(.folder(.outOfSpace))
        case .file, .notStored, .contentMismatch, .archived: streak.reset()
        }
    }
}
