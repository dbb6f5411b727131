import PhotoCatalog

extension SyncRun {
    /// Requests confirmation of the download, unless it was confirmed or the folder only sends.
    mutating func confirmDownload(_ catalog: Catalog) async throws(SyncError) {
        guard syncState.needsConfirmation else { return }
        guard sync.settings.directions != .toLibrary else { return try await apply([.downloads(isConfirmed: false)]) }
        let download = SyncDownload(SyncPlanner.plan(catalog, local, syncState.files).transfers.downloads)
        if download.files > 0, !(await sync.confirmsDownload(download)) { throw .notConfirmed }
        try await apply([.downloads(isConfirmed: true)])
    }

    /// Reads the files whose content may be in the library, without uploading any.
    mutating func readNewFiles(_ catalog: Catalog) async throws(SyncError) {
        let sizes = Set(catalog.contentsEver.map(\.size))
        try await readFolder(records: true) { sizes.contains($0) }
    }

    /// Determines the contents of the folder's files.
    /// - Parameters:
    ///   - records: Whether the journal keeps what is read.
    ///   - matters: Returns whether contents of this length in bytes are relevant; other files are not read.
    /// - Returns: The facts of the files that were read and may replace a synced one, unless the journal keeps them.
    @discardableResult
    mutating func readFolder(
        records: Bool, matters: (Int64) -> Bool
    ) async throws(SyncError) -> [LibraryPath: MediaFacts] {
        var facts: [LibraryPath: MediaFacts] = [:]
        let synced = syncState.files
        let (journal, start, source) = (opened.journal, start, opened.files.source)
        // The journal's facts must be complete, because files that it has are not read again.
        let dates = OpenFolderDates(
            source: source.dateSource, zone: sync.backup.settings.zone,
            until: .latestCapture(at: Timestamp(whole: start)))
        let contents: LocalContents
        do {
            contents = try await LocalContents.read(
                content.files, from: source, journal: journal, dates: dates, report: { _ in },
                onInspection: { file, inspection in
                    guard records else {
                        if synced[file.path] != nil { facts[file.path] = inspection.facts }
                        return
                    }
                    journal.record(
                        file, inspection.fingerprint.isAtRest(at: start) ? inspection : inspection.matchingNoFile)
                }, matters: matters)
        } catch { throw SyncError(folder: error) }
        local = LocalPhotos(content, opened.scan.ignores) { contents.digests[$0.path] }
        summary.toLibrary.problems = content.problems + contents.problems
        (summary.toLibrary.leftOut, summary.toLibrary.clashes) = (content.leftOut, content.clashes)
        summary.toLibrary.progress.totalFiles = content.files.count
        summary.toLibrary.sort()
        return facts
    }
}
