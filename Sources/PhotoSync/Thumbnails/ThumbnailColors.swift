import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Adds the colors of stored thumbnails to the catalog, for photos that have none there. Downloads only the thumbnails.
struct ThumbnailColors: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any PictureMaker
    /// The folder of temporary copies.
    let folder: String
    let pause: Backoff

    /// The number of thumbnails that are downloaded at the same time. They have some kilobytes.
    private static let parallelFiles = 8
    /// The number of attempts for each download.
    private static let attempts = 3
    /// The run stops when this many downloads in a row fail at the store.
    private static let failuresInARow = 8

    private enum Outcome: Sendable {
        case found(PictureColor)
        /// The thumbnail does not exist any more, is too long, or cannot be decoded.
        case none
        /// The tool makes nothing of correct files either.
        case broken(PictureToolFailure)
        /// The tool does not determine colors.
        case unsupported
        case failed(ObjectStoreError)
    }

    /// The number of contents whose colors were found, and how the run ended.
    struct Summary: Sendable {
        var colored = 0
        var ending = TransferEnding.completed
        /// Why the run stopped: the tool makes nothing of correct files.
        var toolFailure: PictureToolFailure?
    }

    /// Runs until all colors are in the catalog. What a commit has stored is not done again by the next run.
    /// - Parameter report: Called for each entry that was read.
    func run(
        _ entries: CatalogEntries, _ colors: FactCommits, report: @escaping @Sendable (LibraryPath, Int) -> Void
    ) async -> Summary {
        var (colors, summary) = (colors, Summary())
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, Outcome).self) { group in
            var (remaining, running, finished, isSupported) = (entries[...], 0, 0, true)
            while true {
                while running < Self.parallelFiles, isSupported, summary.ending == .completed,
                    summary.toolFailure == nil, !Task.isCancelled, !maker.isMissing, let entry = remaining.popFirst()
                {
                    group.addTask { (entry, await color(of: entry.md5)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                switch outcome {
                case .found(let color):
                    colors.add(MediaFacts(color: color), of: entry.md5)
                    summary.colored += 1
                    streak.reset()
                case .none: streak.reset()
                case .unsupported: isSupported = false
                case .broken(let failure): summary.toolFailure = failure
                case .failed(let error):
                    if Task.isCancelled { continue }
                    if let reason = streak.reasonToStop(after: error) { summary.ending = .stopped(reason) }
                }
                if colors.isCommitDue { await commit(&colors, &summary) }
                finished += 1
                report(entry.path, finished)
            }
            if Task.isCancelled, summary.ending == .completed, !remaining.isEmpty { summary.ending = .cancelled }
        }
        await commit(&colors, &summary)
        if summary.ending == .completed, let reason = await streak.reasonToStop(asking: store, user: user) {
            summary.ending = .stopped(reason)
        }
        return summary
    }

    private func commit(_ colors: inout FactCommits, _ summary: inout Summary) async {
        let count = colors.count
        do { try await colors.commit() } catch {
            summary.colored -= count
            if summary.ending == .completed { summary.ending = .stopped(.catalog(error)) }
        }
    }

    private func color(of photo: ContentDigest) async -> Outcome {
        let stored: StoredObject?
        do { stored = try await thumbnail(of: photo) } catch { return .failed(error) }
        guard let stored else { return .none }
        do {
            let file = try await PictureFile(of: photo, type: .jpeg, in: folder)
            let outcome: Outcome
            do {
                try await file.write(stored.bytes, at: 0)
                let made = try await maker.pictures(of: file.path, type: .jpeg, preview: nil)
                outcome = made.color.map { .found($0) } ?? .unsupported
            } catch { outcome = .none }
            await file.remove()
            guard case .none = outcome else { return outcome }
            let probe = ToolProbe(maker: maker, folder: folder)
            return await probe.failure(after: photo, type: .jpeg).map { .broken($0) } ?? .none
        } catch { return .none }
    }

    private func thumbnail(of photo: ContentDigest) async throws(ObjectStoreError) -> StoredObject? {
        let key = PictureKind.thumbnail.key(of: photo, user)
        var attempt = 1
        while true {
            do throws(ObjectStoreError) { return try await store.get(key, limit: Thumbnail.sizeLimit) } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else { throw error }
            }
            await pause.wait(attempt: attempt)
            attempt += 1
        }
    }
}
