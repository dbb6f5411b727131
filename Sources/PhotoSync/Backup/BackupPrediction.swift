import PhotoCatalog

extension Backup {
    /// Determines what a backup of a folder would do, without changing anything on the device or in the store. Files are
    /// read only if the journal does not contain them and a content in the catalog has the same length.
    /// - Parameter wanted: The only files; `nil` for all.
    /// - Returns: The summary with its `planned` changes. Stored contents are not checked.
    package func predict(
        folder: String, only wanted: Set<LibraryPath>? = nil, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        report(.scanning)
        let place = LibraryStatus.Place.folder(folder, settings.filter, into: settings.destination)
        return try await predict(place, only: wanted, report: report)
    }

    /// Determines what a backup of a source would do, like the one of a folder. Resources of unknown size are not read.
    func predict(
        source: any AssetSource, report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        report(.scanning)
        return try await predict(.source(source), only: nil, report: report)
    }

    private func predict(
        _ place: LibraryStatus.Place, only wanted: Set<LibraryPath>?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupError) -> BackupSummary {
        let (user, stateFolder) = (user, stateFolder)
        let found: OpenedFiles?
        do {
            found = try await FileWork.run { () throws(FileError) in
                try place.open(user: user, stateFolder: stateFolder)
            }
        } catch { throw BackupError(error) }
        guard let opened = found else { return BackupSummary() }
        let catalog: Catalog
        do { catalog = try await readingOnly.catalogs.load().catalog } catch { throw .catalog(error) }
        var (summary, selected) = (BackupSummary(), [ScannedFile]())
        var names = wanted.map { WantedFiles($0) }
        var pending: [LibraryPath?] = [nil]
        while let folder = pending.popLast() {
            let content = try await opened.source.content(of: folder)
            let files = names?.select(from: content) ?? content.files
            summary.record(content, selected: files)
            selected += files
            pending += names.map { names in content.folders.filter(names.isAbove) } ?? content.folders
        }
        // Files of the same size may have the same content, which is uploaded once.
        var sizes = Set(catalog.contentsEver.map(\.size))
        var seen: Set<Int64> = []
        for file in selected where !seen.insert(file.fingerprint.size).inserted { sizes.insert(file.fingerprint.size) }
        // Files that may not belong to the library.
        for file in selected where file.type == .unread || file.fingerprint.size == 0 {
            sizes.insert(file.fingerprint.size)
        }
        let contents: LocalContents
        do {
            contents = try await LocalContents.read(
                selected, from: opened.source, journal: opened.journal, report: { _ in }
            ) { [sizes] in sizes.contains($0) }
        } catch { throw BackupError(error) }
        if let reason = opened.source.unavailability { throw .source(reason) }
        summary.problems += contents.problems
        summary.plan(selected.sorted { $0.path < $1.path }, contents, catalog)
        if let names { summary.restrict(to: names) }
        summary.sort()
        summary.catalogEntries = catalog.count
        return summary
    }
}

extension BackupSummary {
    fileprivate mutating func plan(_ files: [ScannedFile], _ contents: LocalContents, _ catalog: Catalog) {
        filesInTrash = []
        let (stored, present) = (catalog.contentsWithTrash, catalog.contents)
        let unreadable = Set(contents.problems.map(\.path))
        var uploaded: Set<ContentDigest> = []
        let refused = Dictionary(contents.leftOut.map { ($0.path, $0.reason) }, uniquingKeysWith: { $1 })
        for file in files where !unreadable.contains(file.path.description) {
            let size = file.isSizeKnown ? file.fingerprint.size : nil
            if let reason = refused[file.path] {
                recordLeftOut(file, reason)
            } else if let md5 = contents.digests[file.path] {
                if catalog.isDeleted(file.path, md5) {
                    leftOut.append(LeftOutFile(path: file.path, reason: .deleted))
                    progress.count(.deleted, size: file.knownSize)
                } else if stored[md5] != nil {
                    progress.count(.alreadyStored, size: file.knownSize)
                    if catalog.hasInTrash(file.path, md5), !catalog.isReplaced(file.path, md5), present[md5] == nil {
                        filesInTrash?.append(file.path)
                    }
                    if catalog.index(of: file.path, md5) == nil, !catalog.shows(md5, at: file.path) {
                        planAddition(file, size)
                    }
                } else if uploaded.insert(md5).inserted {
                    planUpload(file, size)
                } else {
                    progress.count(.alreadyStored, size: file.knownSize)
                    planAddition(file, size)
                }
            } else {
                planUpload(file, size)
            }
        }
    }

    private mutating func planAddition(_ file: ScannedFile, _ size: Int64?) {
        addedFiles += 1
        planned.append(PlannedChange(action: .add, path: file.path, size: size))
    }

    private mutating func planUpload(_ file: ScannedFile, _ size: Int64?) {
        progress.count(.uploaded, size: file.knownSize)
        planned.append(PlannedChange(action: .upload, path: file.path, size: size))
    }
}
