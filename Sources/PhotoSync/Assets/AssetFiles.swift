import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Synchronization

/// The resources of a source's assets, as the files of a backup.
final class AssetFiles: FileSource {
    private struct State {
        var stored: AssetIndexFile
        var folders: [LibraryPath?: FolderContent] = [:]
        var unreadDates: [LibraryPath: Timestamp] = [:]
        /// Why a body could not be read, until the upload asks.
        var failures: [LibraryPath: BackupFailure] = [:]
    }

    private let source: any AssetSource
    private let journal: BackupJournal
    private let zone: CaptureZone?
    private let recordsRemovals: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - zone: The device's time zone, for assets whose metadata has no date.
    ///   - recordsRemovals: Whether the index records resources that are missing from now on.
    init(
        _ source: any AssetSource, journal: BackupJournal, index: AssetIndexFile, zone: CaptureZone?,
        recordsRemovals: Bool = false
    ) {
        (self.source, self.journal, self.zone, self.recordsRemovals) = (source, journal, zone, recordsRemovals)
        state = Mutex(State(stored: index))
    }

    /// The index as of the last listing.
    var index: AssetIndex { state.withLock { $0.stored.index } }

    /// Stores changes of the index.
    func update(_ change: @Sendable (inout AssetIndex) -> Void) async {
        let stored = state.withLock { $0.stored }
        var next = stored.index
        change(&next)
        let changed = next
        // A failed write is handled by the next listing.
        guard let written = try? await FileWork.run({ () throws(FileError) in stored.updated(to: changed) }) else {
            return
        }
        state.withLock { $0.stored = written }
    }

    var dateSource: any DateSource { AssetDates(files: self) }
    var emptied: ScanProblem { .withoutAssets }
    var unavailability: SourceError? { source.unavailability }

    func content(of folder: LibraryPath?) async throws(BackupError) -> FolderContent {
        if folder == nil { try await list() }
        return state.withLock { $0.folders.removeValue(forKey: folder) } ?? FolderContent()
    }

    func allFiles() async throws(BackupError) -> ScanResult {
        try await list()
        var result = ScanResult()
        for content in state.withLock({ $0.folders.values }) {
            result.files += content.files
            result.problems += content.problems
            result.leftOut += content.leftOut
            result.clashes += content.clashes
        }
        result.files.sort { $0.path < $1.path }
        return result
    }

    /// Returns the date of the asset of a resource that no backup has read, as of the last listing.
    func unreadDate(of path: LibraryPath) -> Timestamp? { state.withLock { $0.unreadDates[path] } }

    private func list() async throws(BackupError) {
        let stored = state.withLock { $0.stored }
        do {
            // Requested first, so that later changes are listed again.
            let token = try await source.changeToken()
            var listing = AssetListing(journal: journal, earlier: stored.index)
            var removed: Set<String> = []
            if let known = stored.index.token, let changes = try await source.changes(since: known) {
                try await listing.addAll(of: source, earlier: stored.index, changes)
                removed = changes.removed
            } else {
                try await listing.addAll(of: source)
            }
            // A cancelled sequence can end early.
            if Task.isCancelled { throw SourceError.cancelled }
            var index = listing.index
            index.token = token
            index.recordMissing(since: stored.index, removed: removed, recordsNew: recordsRemovals) {
                journal.committed($0)
            }
            let next = index
            // A photo at the path of another one is not an edit of it.
            journal.clearOwnAdditions { path in
                guard let earlier = stored.index.items[path], let item = next.items[path] else { return false }
                return earlier.asset != item.asset
            }
            let written = try await FileWork.run { () throws(FileError) in stored.updated(to: next) }
            let (contents, dates) = (listing.contents(), listing.unreadDates)
            state.withLock { ($0.stored, $0.folders, $0.unreadDates) = (written, contents, dates) }
        } catch let error as SourceError {
            throw BackupError(error)
        } catch let error as FileError {
            throw BackupError(error)
        } catch {
            throw BackupError(SourceError(error))
        }
    }

    func read(
        _ file: ScannedFile, buffers: FileBufferPool?, dates: FolderDates?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> FileReading {
        let (before, asset) = try await resource(at: file.path)
        if let known = reading(ofCopy: before, at: file.path) { return known }
        let content = try await content(of: file.path, limit: buffers?.fileLimit ?? 0) {
            report(.downloading(file.path, $0))
        }
        // The original of an edited asset is unchanged, and its edited version has another date.
        guard try await resource(at: file.path).resource == before, before.size ?? content.size == content.size else {
            throw .changedWhileRead
        }
        guard let item = item(at: file.path) else { throw .file(.missing) }
        let current = AssetIndex.Item(asset: item.asset, resource: item.resource, modified: before.modified)
        let fingerprint = FileFingerprint(of: current, size: content.size)
        guard content.size > 0,
            let type = MediaType.sniffed(content.beginning, named: file.path.name, size: content.size)
        else { return .leftOut(.ofNonMedia(file.path.name, size: content.size), fingerprint) }
        let reading = content.reading(type)
        var facts = reading.facts
        if let dates, !type.isSidecar {
            do { facts.taken = try await dates.date(of: file.path, reading.clues) } catch { throw .file(.cancelled) }
            // The file has no date. That of the asset has no offset.
            if facts.taken == nil, let created = asset.created {
                facts.taken = zone?.date(of: created) ?? CaptureDate(created)
            }
        }
        if !type.isSidecar, facts.location == nil { facts.location = asset.location }
        let found = ScannedFile(path: file.path, fingerprint: fingerprint, type: type, isSequential: true)
        let buffered = buffers.flatMap { buffers in content.whole.map { buffers.adopt($0) } }
        let inspection = FileInspection(
            fingerprint: fingerprint, md5: content.md5, facts: facts, bufferedFile: buffered)
        return .media(found, inspection)
    }

    /// Returns what was found in another resource with the same bytes, if it was read and is unchanged.
    private func reading(ofCopy resource: SourceResource, at path: LibraryPath) -> FileReading? {
        let index = index
        guard let other = resource.copyOf, let item = index.items[path], let first = index.paths[item.asset]?[other],
            let original = index.items[first], let entry = journal.entry(first),
            entry.fingerprint.isOf(original, size: nil)
        else { return nil }
        let current = AssetIndex.Item(asset: item.asset, resource: item.resource, modified: resource.modified)
        let fingerprint = FileFingerprint(of: current, size: entry.fingerprint.size)
        let found = ScannedFile(path: path, fingerprint: fingerprint, type: entry.type, isSequential: true)
        return .media(found, FileInspection(fingerprint: fingerprint, md5: entry.md5, facts: entry.facts))
    }

    private func content(
        of path: LibraryPath, limit: Int, _ onDownload: @escaping @Sendable (Double) -> Void
    ) async throws(BackupFailure) -> AssetContent {
        var content = AssetContent(limit: limit)
        do {
            guard let bytes = bytes(at: path, isDownloadAllowed: true, onDownload) else { throw SourceError.missing }
            var iterator: any AsyncIteratorProtocol<ByteBuffer, any Error> = bytes.makeAsyncIterator()
            while let chunk = try await iterator.next(isolation: nil) { content.append(chunk) }
        } catch {
            throw BackupFailure(SourceError(error))
        }
        // A cancelled sequence can end early.
        if Task.isCancelled { throw .file(.cancelled) }
        return content
    }

    /// Returns a resource as it is now, and its asset.
    private func resource(
        at path: LibraryPath
    ) async throws(BackupFailure) -> (resource: SourceResource, asset: SourceAsset) {
        guard let item = item(at: path) else { throw .file(.missing) }
        do throws(SourceError) {
            guard let asset = try await source.assets(withIDs: [item.asset]).first(where: { $0.id == item.asset }),
                let resource = asset.resources.first(where: { $0.id == item.resource })
            else { throw SourceError.missing }
            return (resource, asset)
        } catch {
            throw BackupFailure(error)
        }
    }

    private func item(at path: LibraryPath) -> AssetIndex.Item? { state.withLock { $0.stored.index.items[path] } }

    /// Returns the bytes of a resource; `nil` if it is unknown.
    func bytes(
        at path: LibraryPath, isDownloadAllowed: Bool, _ onDownload: @escaping @Sendable (Double) -> Void = { _ in }
    ) -> (any AsyncSequence<ByteBuffer, any Error> & Sendable)? {
        item(at: path).map {
            source.bytes(
                of: $0.resource, in: $0.asset, isDownloadAllowed: isDownloadAllowed, onDownload: onDownload)
        }
    }

    func body(
        of file: ScannedFile, _ inspection: FileInspection, reportSent: @escaping @Sendable (Int64) -> Void
    ) -> ObjectBody {
        let body = AssetBody(
            chunks: { [self] in bytes(at: file.path, isDownloadAllowed: true) ?? AsyncThrowingStream { $0.finish() } },
            size: inspection.fingerprint.size, md5: inspection.md5, reportSent: reportSent
        ) { [self] error in
            state.withLock { $0.failures[file.path] = BackupFailure(error) }
        }
        return ObjectBody(size: inspection.fingerprint.size, chunks: body)
    }

    func checkReadable(_ file: ScannedFile) async throws(BackupFailure) {
        if let failure = state.withLock({ $0.failures.removeValue(forKey: file.path) }) { throw failure }
    }

    func localPath(of file: ScannedFile) -> String? { nil }

    func picture(
        _ kind: PictureKind, of file: ScannedFile, _ facts: MediaFacts
    ) async throws(BackupFailure) -> ByteBuffer? {
        guard !file.type.isSidecar, let item = item(at: file.path),
            let bytes = await source.thumbnail(of: item.resource, in: item.asset, maximumPixels: kind.edge(of: facts))
        else { return nil }
        guard try await resource(at: file.path).resource.modified == file.fingerprint.modified else {
            throw .changedWhileRead
        }
        return bytes
    }
}

extension AssetListing {
    /// Lists all assets.
    fileprivate mutating func addAll(of source: any AssetSource) async throws {
        var iterator: any AsyncIteratorProtocol<[SourceAsset], any Error> = source.assets().makeAsyncIterator()
        while let batch = try await iterator.next(isolation: nil) {
            for asset in batch { add(asset) }
        }
    }

    /// The number of assets that are requested together.
    private static let batch = 500

    /// Lists all assets, and asks the source only about those that changed or were not read since the last listing.
    fileprivate mutating func addAll(
        of source: any AssetSource, earlier: AssetIndex, _ changes: SourceChanges
    ) async throws(SourceError) {
        // An asset that was removed and restored can be in both sets.
        var requested = Array(changes.changed)
        for asset in earlier.paths.keys where !changes.changed.contains(asset) && !changes.removed.contains(asset) {
            if !addUnchanged(asset) { requested.append(asset) }
        }
        requested.sort()
        for start in stride(from: 0, to: requested.count, by: Self.batch) {
            if Task.isCancelled { throw .cancelled }
            let ids = Array(requested[start..<min(start + Self.batch, requested.count)])
            for asset in try await source.assets(withIDs: ids) { add(asset) }
        }
    }
}

extension AssetFiles {
    /// Returns what stands for the folder in the name of the journal. Folders have absolute paths.
    static func root(of source: String) -> String { "source \(source)" }

    /// Opens a source with its journal. Blocks.
    /// - Parameters:
    ///   - isReadOnly: Whether nothing is stored.
    ///   - recordsRemovals: Whether the index records resources that are missing from now on.
    static func open(
        _ source: any AssetSource, user: UserID, stateFolder: String, zone: CaptureZone?, isReadOnly: Bool,
        recordsRemovals: Bool = false
    ) -> (files: AssetFiles, journal: BackupJournal, journalFile: String) {
        let file = BackupJournal.path(in: stateFolder, user: user, root: root(of: source.id))
        let journal = isReadOnly ? BackupJournal.load(file) : BackupJournal.open(file)
        let index = AssetIndexFile(
            AssetIndex.path(in: stateFolder, user: user, source: source.id), isReadOnly: isReadOnly)
        let files = AssetFiles(
            source, journal: journal, index: index, zone: zone, recordsRemovals: recordsRemovals)
        return (files, journal, file)
    }
}

extension OpenedFiles {
    /// Opens a source with its journal, for reading only. Blocks.
    init(_ source: any AssetSource, user: UserID, stateFolder: String) {
        let opened = AssetFiles.open(source, user: user, stateFolder: stateFolder, zone: nil, isReadOnly: true)
        self.init(source: opened.files, journal: opened.journal, journalFile: opened.journalFile)
    }
}
