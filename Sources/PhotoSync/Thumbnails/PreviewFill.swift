import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Makes the missing previews and thumbnails of a library from its stored originals, of videos from the bytes that the first
/// frame needs, and adds the colors of all thumbnails to the catalog, with the durations and cameras of all photos and videos.
/// It can be stopped at any time and run again: what is stored is not made again, and what could not be made or found is not
/// tried again.
package struct PreviewFill: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any PictureMaker
    private let cache: (any CatalogCache)?
    private let quality: Int
    private let folder: String
    private let unmadeFile: String
    private let detailsFile: String
    private let tool: String
    private let pause: Backoff

    /// The number of originals that are downloaded and decoded at the same time.
    private static let parallelFiles = 3
    /// The number of attempts for each upload.
    private static let attempts = 3
    /// The run stops when this many contents in a row fail at the store.
    private static let failuresInARow = 8

    /// - Parameters:
    ///   - quality: The JPEG quality of previews, 1 to 100.
    ///   - folder: A folder for originals, used only for this; created if it does not exist, and removed at the end. A file
    ///     beside it, with the suffix `.lock`, is locked during the run.
    ///   - unmadeFile: The file with the contents of which nothing could be made.
    ///   - detailsFile: The file with the contents whose cameras and durations were read.
    ///   - tool: The version of the tool. Another version tries the contents of `unmadeFile` again.
    ///   - cache: Caches the catalog's files on this device.
    package init(
        store: any ObjectStore, user: UserID, maker: any PictureMaker, quality: Int, folder: String,
        unmadeFile: String, detailsFile: String, tool: String, cache: (any CatalogCache)? = nil, pause: Backoff
    ) {
        self.store = store
        self.user = user
        self.maker = maker
        self.quality = quality
        self.folder = folder
        self.unmadeFile = unmadeFile
        self.detailsFile = detailsFile
        self.tool = tool
        self.cache = cache
        self.pause = pause
    }

    /// The outcome for one content.
    enum Outcome: Sendable {
        /// - Parameters:
        ///   - facts: `nil` if the thumbnail was made of the preview, which has none.
        ///   - thumbnail: The version of the thumbnail, if it was stored.
        case made(_ facts: MediaFacts?, thumbnail: ContentDigest?)
        case failed(PreviewFillFailure)
    }

    /// Makes the pictures of the selected entries, each content once. Originals are downloaded a few at a time and
    /// removed again; archived ones are skipped. All paths of a content get what is known of one of them.
    /// - Parameters:
    ///   - retries: Whether contents of which an earlier run could make nothing are tried again.
    ///   - verifies: Whether all thumbnails and previews are read, and damaged ones made again.
    ///   - renewals: The file with the thumbnails that were found usable or renewed; `nil` to leave small thumbnails as they
    ///     are.
    /// - Throws: Only if the run could not begin, as while another one uses the folder.
    package func run(
        _ selection: PhotoSelection, retries: Bool = false, verifies: Bool = false, renewals: String? = nil,
        report: @escaping @Sendable (VerificationEvent) -> Void
    ) async throws(PreviewFillError) -> PreviewFillSummary {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let catalogs = CatalogStore(store: store, user: user, cache: cache, pause: pause)
        var entries = try await select(selection, in: catalogs)
        let shared = SharedFacts(in: entries)
        if !shared.changes.isEmpty {
            do { try await shared.commit(to: catalogs) } catch {
                return PreviewFillSummary(ending: .stopped(.catalog(error)))
            }
            entries = try await select(selection, in: catalogs)
        }
        entries = entries.distinctContents
        var stored: StoredPictures
        do {
            stored = try await .load(from: store, user: user, withVersions: renewals != nil)
        } catch { throw .store(error) }
        let check = StoredPictureCheck(
            reader: reader, maker: maker, pause: pause, verifies: verifies, renewals: renewals)
        let isChecked = (verifies || renewals != nil) && !maker.isMissing
        if isChecked {
            var progress = StepProgress(PreviewFillSummary().progress, report)
            let found = await check.find(in: entries, stored) { progress.begin($0) }
            guard found.ending == .completed else { return PreviewFillSummary(ending: found.ending) }
            stored.apply(found)
        }
        var unmade = await ExaminedContents.load(unmadeFile, version: tool)
        var examined = await ExaminedContents.load(detailsFile, version: MissingDetails.version)
        let missing = entries.indices.filter { index in
            let (entry, canMake) = (entries[index], maker.canMake(entries[index].type))
            return canMake && (isMissing(entry, in: stored) || stored.outdated.contains(entry.md5))
                || isRenewable(entry, in: stored)
        }
        let tried = missing.filter { retries || !unmade.contents.contains(entries[$0].md5) }
        var summary = await make(
            entries.reordered(tried.map { entries.order[$0] }), stored, FactCommits(catalogs), &examined, report)
        summary.skipped = missing.count - tried.count
        summary.count(
            missing: Set(tried.map { entries[$0] }.filter { isMissing($0, in: stored) }.map(\.md5)),
            outdated: isChecked ? stored.outdated.intersection(tried.map { entries[$0].md5 }) : nil)
        summary.lackingProgram = entries.indices.count {
            maker.lacksProgram(for: entries[$0].type) && isMissing(entries[$0], in: stored)
        }
        let wanted = Set(tried.filter { !isRenewable(entries[$0], in: stored) })
        let others = entries.indices.filter { !wanted.contains($0) }
        let uncolored = others.filter { index in
            entries[index].media.color == nil && stored.thumbnails.contains(entries[index].md5)
        }
        var progress = StepProgress(summary.progress, report)
        await addColors(
            entries.reordered(uncolored.map { entries.order[$0] }), FactCommits(catalogs), &summary, &progress)
        let undescribed = others.filter { index in
            !examined.contents.contains(entries[index].md5) && details.isMissing(entries[index])
        }
        await addDetails(
            entries.reordered(undescribed.map { entries.order[$0] }), FactCommits(catalogs), &examined, &summary,
            &progress)
        summary.colored += shared.colored.subtracting(summary.stored).count
        summary.described += shared.described.subtracting(summary.stored).count
        await maker.endIdleProcesses()
        await examined.save(to: detailsFile)
        await check.record(summary.stored.intersection(stored.outdated), summary.storedThumbnails)
        unmade.contents.formUnion(summary.unmade)
        unmade.contents.subtract(summary.stored)
        await unmade.save(to: unmadeFile)
        await removePurged(summary.stored, from: catalogs)
        // After an interruption it holds what need not be downloaded again.
        if summary.ending == .completed { await remove(folder) }
        return summary
    }

    private func lock() async throws(PreviewFillError) -> OpenFile {
        let path = "\(folder).lock"
        do {
            return try await FileWork.run { () throws(FileError) in try StateFile.lock(path) }
        } catch { throw error == .exists ? .underWay : .folder(error) }
    }

    private func select(
        _ selection: PhotoSelection, in catalogs: CatalogStore
    ) async throws(PreviewFillError) -> CatalogEntries {
        do { return try await catalogs.select(selection).entries } catch { throw .selection(error) }
    }

    /// Adds the colors of thumbnails that were stored before.
    private func addColors(
        _ entries: CatalogEntries, _ colors: FactCommits, _ summary: inout PreviewFillSummary,
        _ progress: inout StepProgress
    ) async {
        guard summary.ending == .completed, summary.toolFailure == nil, !maker.isMissing, !entries.isEmpty,
            maker.canMake(.jpeg)
        else { return }
        let step = ThumbnailColors(store: store, user: user, maker: maker, folder: folder, pause: pause)
        let found = await step.run(entries, colors, report: progress.begin(entries.count))
        (summary.colored, summary.ending, summary.toolFailure) = (found.colored, found.ending, found.toolFailure)
    }

    /// Adds the cameras and durations of photos and videos that were not read for their pictures.
    private func addDetails(
        _ entries: CatalogEntries, _ found: FactCommits, _ examined: inout ExaminedContents,
        _ summary: inout PreviewFillSummary, _ progress: inout StepProgress
    ) async {
        guard summary.ending == .completed, summary.toolFailure == nil, !entries.isEmpty else { return }
        let read = await details.run(
            entries, found, &examined, in: detailsFile, report: progress.begin(entries.count))
        (summary.described, summary.archivedDetails) = (read.described, read.archived)
        summary.failures += read.failures
        (summary.ending, summary.toolFailure) = (read.ending, read.toolFailure)
    }

    private var details: MissingDetails {
        MissingDetails(
            reader: reader,
            media: StoredMedia(
                store: store, user: user, copies: .none, headLength: MissingDetails.headLength, pause: pause),
            maker: maker, folder: folder, pause: pause)
    }

    private func isMissing(_ entry: CatalogEntry, in stored: StoredPictures) -> Bool {
        !stored.thumbnails.contains(entry.md5) || wantsPreview(entry) && !stored.previews.contains(entry.md5)
    }

    /// Returns whether all that is to be made of an entry is another thumbnail, of its preview.
    private func isRenewable(_ entry: CatalogEntry, in stored: StoredPictures) -> Bool {
        stored.outdated.contains(entry.md5) && stored.previews.contains(entry.md5) && maker.canMake(.jpeg)
    }

    private var renewal: ThumbnailRenewal {
        ThumbnailRenewal(reader: reader, maker: maker, folder: folder)
    }

    private func wantsPreview(_ entry: CatalogEntry) -> Bool {
        Preview.isUseful(for: entry.type, size: entry.size, entry.media)
    }

    private func make(
        _ entries: CatalogEntries, _ stored: StoredPictures, _ found: FactCommits, _ examined: inout ExaminedContents,
        _ report: @escaping @Sendable (VerificationEvent) -> Void
    ) async -> PreviewFillSummary {
        var found = found
        var summary = PreviewFillSummary()
        summary.progress = ReadingProgress(totalFiles: entries.count, totalBytes: entries.bytes)
        report(.started(summary.progress))
        var streak = FailureStreak(limit: Self.failuresInARow)
        await withTaskGroup(of: (CatalogEntry, Outcome).self) { group in
            var remaining = entries[...]
            var running = 0
            while true {
                while running < Self.parallelFiles, summary.ending == .completed, summary.toolFailure == nil,
                    !Task.isCancelled, !maker.isMissing, let entry = remaining.popFirst()
                {
                    group.addTask { (entry, await make(entry, stored)) }
                    running += 1
                }
                guard let (entry, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(entry, outcome, &streak)
                if case .made(let facts?, _) = outcome { found.add(facts, of: entry.md5) }
                if found.isCommitDue { await commit(&found, &summary) }
                report(.finished(entry.path, summary.progress))
            }
        }
        await commit(&found, &summary)
        examined.contents.formUnion(found.settled)
        if Task.isCancelled, summary.ending == .completed, summary.progress.finishedFiles < entries.count {
            summary.ending = .cancelled
        }
        if summary.ending == .completed, let stop = await streak.reasonToStop(asking: store, user: user) {
            summary.ending = .stopped(stop)
        }
        return summary
    }

    private func commit(_ found: inout FactCommits, _ summary: inout PreviewFillSummary) async {
        do { try await found.commit() } catch {
            if summary.ending == .completed { summary.ending = .stopped(.catalog(error)) }
        }
    }

    /// Fetches an original, or the preview if it is enough, makes its pictures and stores them.
    private func make(_ entry: CatalogEntry, _ stored: StoredPictures) async -> Outcome {
        let made: Made
        do { made = try await pictures(for: entry, stored) } catch { return .failed(error) }
        let isReplaced = !stored.thumbnails.contains(entry.md5) || stored.outdated.contains(entry.md5)
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                let etag = try await made.pictures.store(of: entry.md5, in: store, user, withThumbnail: isReplaced)
                return .made(made.facts, thumbnail: etag.map { StoredPictures.version(of: entry.md5, $0) })
            } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else {
                    return .failed(.upload(error))
                }
                await pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }

    /// Makes the pictures of the preview, if it is enough and not damaged, or else of the original.
    private func pictures(for entry: CatalogEntry, _ stored: StoredPictures) async throws(PreviewFillFailure) -> Made {
        if isRenewable(entry, in: stored) {
            do throws(PreviewFillFailure) { return (try await renewal.pictures(of: entry.md5), nil) } catch {
                let failure = await cause(of: error, entry, .jpeg)
                guard failure.isDamage, maker.canMake(entry.type) else { throw failure }
            }
        }
        do throws(PreviewFillFailure) {
            return try await entry.type.isVideo && entry.size > StoredVideo.wholeLength
                ? picturesOfBeginning(of: entry) : picturesOfOriginal(of: entry)
        } catch { throw await cause(of: error, entry, entry.type) }
    }

    /// Returns `brokenTool` for a failure of a tool that makes nothing of a correct file either.
    private func cause(
        of failure: PreviewFillFailure, _ entry: CatalogEntry, _ type: MediaType
    ) async -> PreviewFillFailure {
        let probe = ToolProbe(maker: maker, folder: folder)
        guard case .tool = failure, let broken = await probe.failure(after: entry.md5, type: type) else {
            return failure
        }
        return .brokenTool(broken)
    }

    private func picturesOfOriginal(of entry: CatalogEntry) async throws(PreviewFillFailure) -> Made {
        let name = "\(entry.md5).\(entry.type.fileExtension)"
        let original = CatalogEntry(
            path: LibraryPath(known: name), md5: entry.md5, size: entry.size, modified: entry.modified,
            type: entry.type,
            media: entry.media)
        do throws(RestoreFailure) {
            try await reader.download(original, into: folder)
        } catch { throw .original(error) }
        let path = "\(folder)/\(name)"
        do throws(ThumbnailError) {
            let made = try await pictures(of: path, entry)
            await remove(path)
            return made
        } catch {
            // Kept for another attempt only if this one was interrupted.
            if error != .cancelled { await remove(path) }
            throw .tool(error)
        }
    }

    private func picturesOfBeginning(of entry: CatalogEntry) async throws(PreviewFillFailure) -> Made {
        let file: PictureFile
        do { file = try await PictureFile(of: entry.md5, type: entry.type, in: folder) } catch {
            throw .original(.file(error))
        }
        let video = StoredVideo(reader: reader, entry: entry, pause: pause)
        let result: Result<Made, PreviewFillFailure>
        do throws(RestoreFailure) {
            if try await video.write(to: file) {
                do throws(ThumbnailError) { result = .success(try await pictures(of: file.path, entry)) } catch {
                    result = .failure(.tool(error))
                }
            } else {
                result = .failure(.noStructure)
            }
        } catch { result = .failure(.original(error)) }
        await file.remove()
        return try result.get()
    }

    private var reader: PhotoReader { PhotoReader(store: store, user: user, pause: pause) }

    /// What was made of an original, and what it tells.
    private typealias Made = (pictures: Pictures, facts: MediaFacts?)

    private func pictures(of path: String, _ entry: CatalogEntry) async throws(ThumbnailError) -> Made {
        let pictures = try await maker.pictures(
            of: path, type: entry.type, preview: wantsPreview(entry) ? quality : nil)
        let read = try? await FileWork.run { () throws(FileError) in
            try MediaReading(of: OpenFile(path), size: entry.size, type: entry.type).facts
        }
        let found = PictureFile.hasDuration(entry.type, size: entry.size) ? pictures.duration : nil
        return (pictures, MediaFacts(color: pictures.color, duration: read?.duration ?? found, camera: read?.camera))
    }

    /// Removes pictures of photos that were deleted permanently since the run began, also after a cancellation.
    private func removePurged(_ stored: Set<ContentDigest>, from catalogs: CatalogStore) async {
        guard !stored.isEmpty else { return }
        let (store, user) = (store, user)
        await Task {
            _ = try? await catalogs.waitForPurge()
            guard let catalog = try? await catalogs.load().catalog else { return }
            for md5 in catalog.purgedContents.intersection(stored) {
                let photo = ObjectKey(known: StorageLayout.photo(user, md5: md5.description))
                // It may have been uploaded again.
                guard (try? await store.head(photo)) == .some(.none) else { continue }
                for kind in [PictureKind.preview, .thumbnail] {
                    try? await store.delete(kind.key(of: md5, user), if: .always)
                }
            }
        }.value
    }

    private func remove(_ path: String) async {
        try? await FileWork.run { () throws(FileError) in try? FileManager.default.removeItem(atPath: path) }
    }
}
