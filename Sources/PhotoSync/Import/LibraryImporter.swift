import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Imports an export into a library: uploads its photos and adds them to the catalog, those of the trash to the trash, with
/// its albums, favorites and hidden photos. Nothing in the library is replaced or removed. Another run continues.
package struct LibraryImporter: Sendable {
    private let store: any ObjectStore
    private let user: UserID
    private let catalogs: CatalogStore
    private let pause: Backoff
    private let settings: RestoreSettings

    /// The number of photos after which they are added to the catalog.
    private static let commitSize = 1000

    package init(
        store: any ObjectStore, user: UserID, device: DeviceTag, cache: (any CatalogCache)?, pause: Backoff,
        settings: RestoreSettings = RestoreSettings()
    ) {
        (self.store, self.user, self.pause, self.settings) = (store, user, pause, settings)
        catalogs = CatalogStore(store: store, user: user, device: device, cache: cache, pause: pause)
    }

    /// Imports the photos of an archive.
    /// - Throws: `LibraryImportError`, and the errors of the catalog.
    package func run(
        from path: String, report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws -> ImportSummary {
        let (file, plan) = try await open(path)
        let documents = try ExportedDocuments(plan.files)
        let loaded = try await catalogs.load()
        var version = try await catalogs.endingAbandonedPurge(loaded)
        var summary = ImportSummary(missing: plan.items.missingEntries(), unlisted: plan.items.unlistedCount)
        let wanted = (0..<plan.items.count - plan.items.unlistedCount).filter { index in
            !version.catalog.isKnown(plan.items[index])
        }
        summary.photos.progress.totalFiles = plan.items.count - plan.items.unlistedCount
        summary.photos.progress.alreadyThereFiles = summary.photos.progress.totalFiles - wanted.count
        summary.photos.progress.finishedFiles = summary.photos.progress.alreadyThereFiles
        summary.photos.progress.totalBytes = wanted.reduce(0) { $0.addingCapped(plan.items[$1].size) }
        report(.started(summary.photos.progress))
        // Before they can be seen.
        summary.documents.hidden = try await catalogs.add(
            documents.hidden.contents.intersection(plan.items.contents), to: HiddenPhotos.self)
        let placement = ImportPlacement(plan.items, in: version.catalog)
        var (next, streak) = (wanted.startIndex, FailureStreak(limit: settings.failuresInARow))
        while next < wanted.endIndex, summary.photos.ending == .completed, !Task.isCancelled {
            let part = wanted[next..<min(next + Self.commitSize, wanted.endIndex)]
            let stored = await upload(part, of: plan, file, &summary.photos, &streak, report)
            // Another device may have added a photo, which must not come to the trash.
            version = try await catalogs.newest(after: version)
            let placed = stored.filter { !version.catalog.isKnown($0) }.compactMap { placement.place($0) }
            summary.placedElsewhere += placed.filter { $0.path != $0.item.catalogPath }
            let changes = placed.flatMap { $0.item.changes(at: $0.path, in: version.catalog) }
            version = try await catalogs.commit(changes, onto: version).version
            next = part.endIndex
        }
        if Task.isCancelled, summary.photos.ending == .completed,
            summary.photos.progress.finishedFiles < summary.photos.progress.totalFiles
        {
            summary.photos.ending = .cancelled
        }
        if summary.photos.ending == .completed, let stop = await streak.reasonToStop(asking: store, user: user) {
            summary.photos.ending = .stopped(stop)
        }
        guard summary.photos.ending != .cancelled else { return summary }
        await takeOver(documents, of: plan.items.contents { version.catalog.isKnown($0) }, &summary.documents)
        return summary
    }

    /// Takes favorites and albums over. What cannot be stored is a problem; the next import tries again.
    /// - Parameter contents: The contents of the export that the library has.
    private func takeOver(
        _ documents: ExportedDocuments, of contents: Set<ContentDigest>, _ imported: inout ImportedDocuments
    ) async {
        imported.problems = documents.problems
        do throws(CatalogError) {
            imported.favorites = try await catalogs.add(
                documents.favorites.contents.intersection(contents), to: Favorites.self)
        } catch { imported.problems.append(ScanProblem(path: "favorites", reason: .favorites(error))) }
        do throws(CatalogError) {
            imported.albums = try await catalogs.fillAlbums(from: documents.albums, with: contents)
        } catch { imported.problems.append(ScanProblem(path: "albums", reason: .albums(error))) }
    }

    private func open(_ path: String) async throws -> (OpenFile, ExportPlan) {
        let (file, length, head) = try await work(path) { () throws(FileError) in
            let file = try OpenFile(path)
            let length = try file.fingerprint().size
            let head = try StoredHead.read(length: length) { (offset, count) throws(FileError) in
                try file.read(from: offset, count: count)
            }
            return (file, length, head)
        }
        guard case .complete(let bytes)? = head, let plan = try? await ExportPlan(head: bytes) else {
            if case .incomplete? = head { throw LibraryImportError.incomplete }
            throw LibraryImportError.notAnExport
        }
        guard length == plan.size else { throw LibraryImportError.incomplete }
        return (file, plan)
    }

    private func work<Value: Sendable>(
        _ path: String, _ act: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(LibraryImportError) -> Value {
        do { return try await FileWork.run(act) } catch { throw .file(error) }
    }

    /// Uploads photos.
    /// - Returns: Those that are stored.
    private func upload(
        _ indices: ArraySlice<Int>, of plan: ExportPlan, _ file: OpenFile, _ summary: inout RestoreSummary,
        _ streak: inout FailureStreak, _ report: @escaping @Sendable (RestoreEvent) -> Void
    ) async -> [ExportItem] {
        var (stored, remaining, running) = ([ExportItem](), indices[...], 0)
        await withTaskGroup(of: (ExportItem, RestoreOutcome).self) { group in
            while true {
                while running < settings.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    let index = remaining.popFirst()
                {
                    let item = plan.items[index]
                    let offset = plan.starts[index] + Int64(item.photoEntry.headerSize)
                    let body = ArchivedFileBody(file: file, offset: offset, size: item.size, md5: item.entry.md5) {
                        report(.received(item.entry.path, bytes: $0, of: item.size))
                    }
                    group.addTask { (item, await upload(item, body)) }
                    running += 1
                }
                guard let (item, outcome) = await group.next() else { break }
                running -= 1
                if case .failed = outcome {
                    if Task.isCancelled { continue }
                } else {
                    stored.append(item)
                }
                summary.record(item.entry, outcome, &streak)
                report(.finished(item.entry.path, outcome, summary.progress))
            }
        }
        return stored
    }

    private func upload(_ item: ExportItem, _ body: ArchivedFileBody) async -> RestoreOutcome {
        let key = ObjectKey(known: StorageLayout.photo(user, md5: item.entry.md5.description))
        let attributes = ["content-type": item.entry.type.description, "content-md5": item.entry.md5.base64]
        var attempt = 1
        while true {
            do throws(ObjectStoreError) {
                if try await store.head(key)?.size == item.size { return .alreadyThere }
                _ = try await store.write(
                    key, ObjectBody(size: item.size, chunks: body), attributes: attributes, if: .always)
                return .restored
            } catch {
                switch error {
                case .digestMismatch: return .failed(.contentMismatch)
                case .unavailable, .outcomeUnknown, .conflict:
                    guard attempt < settings.attempts, !Task.isCancelled else { return .failed(.store(error)) }
                    await pause.wait(attempt: attempt)
                    attempt += 1
                default: return .failed(.store(error))
                }
            }
        }
    }
}

/// The result of an import.
package struct ImportSummary: Sendable {
    /// The photos that the export lists and does not have.
    package let missing: [CatalogEntry]
    /// The number of files in the export that no catalog listed. They are not imported.
    package let unlisted: Int
    package var photos = RestoreSummary()
    package var documents = ImportedDocuments()
    /// Photos that were added at another path, because another photo has theirs.
    package var placedElsewhere: [(item: ExportItem, path: LibraryPath)] = []
}

/// Where the photos of an export come in a library: at their paths, or in a folder of their own if another photo, which
/// the library had before, would change its name for them.
private struct ImportPlacement {
    private let catalog: Catalog
    private let contents: Set<ContentDigest>

    /// - Parameter catalog: The library before the import.
    init(_ items: ExportItems, in catalog: Catalog) {
        self.catalog = catalog
        contents = catalog.isEmpty ? [] : Set((0..<items.count).map { items[$0].entry.md5 })
    }

    func place(_ item: ExportItem) -> (item: ExportItem, path: LibraryPath)? {
        guard let path = item.catalogPath else { return nil }
        guard !catalog.isEmpty, catalog.isTaken(path, except: contents) else { return (item, path) }
        return ImportPlacement.elsewhere(path).map { (item, $0) }
    }

    static func elsewhere(_ path: LibraryPath) -> LibraryPath? { LibraryPath("Imported/\(path)") }
}

/// The reason why an import did not begin.
package enum LibraryImportError: Error, Equatable, Sendable {
    case file(FileError)
    /// The file is no export as it was downloaded.
    case notAnExport
    /// The file is an export that was not downloaded completely.
    case incomplete
    /// The export does not say which photos are hidden.
    case hiddenUnreadable
}

extension ExportItems {
    /// The contents of the photos that the export's catalog lists.
    fileprivate var contents: Set<ContentDigest> { contents { _ in true } }

    fileprivate func contents(where isWanted: (ExportItem) -> Bool) -> Set<ContentDigest> {
        (0..<count - unlistedCount).reduce(into: []) { contents, index in
            let item = self[index]
            if isWanted(item) { contents.insert(item.entry.md5) }
        }
    }
}

extension Catalog {
    /// Returns whether the library has a photo of an export, in the trash or not.
    fileprivate func isKnown(_ item: ExportItem) -> Bool {
        guard let path = item.catalogPath else { return false }
        return [path, ImportPlacement.elsewhere(path)].contains { path in
            path.map { holds($0, item.entry.md5) || hasInTrash($0, item.entry.md5) } ?? false
        }
    }
}

extension ExportItem {
    /// Returns the changes that add the photo to a catalog, also if it was permanently deleted from there.
    fileprivate func changes(at path: LibraryPath, in catalog: Catalog) -> [CatalogChange] {
        let added = CatalogEntry(
            path: path, md5: entry.md5, size: size, modified: entry.modified, type: entry.type, media: entry.media)
        let isPurged = catalog.index(of: path, entry.md5) != nil
        return [.add(added, replacing: nil)] + (isPurged ? [.restoreFromTrash(path, entry.md5)] : [])
            + (isInTrash ? [.trash(path, entry.md5)] : [])
    }
}
