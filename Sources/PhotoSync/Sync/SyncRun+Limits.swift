import PhotoCatalog

/// Prevents the removal of many files on either side without confirmation.
extension SyncRun {
    /// Moves entries whose files were removed from the folder to the library's trash.
    /// - Returns: The catalog afterwards; `nil` if nothing was done.
    mutating func trashRemovals(
        _ removals: [SyncedFile], _ version: CatalogStore.Version
    ) async -> CatalogStore.Version? {
        let here = remainingContents(of: removals)
        let wanted = withholdRemovals(removals, here)
        guard !wanted.isEmpty, !Task.isCancelled else {
            if Task.isCancelled { summary.ending = .cancelled }
            return nil
        }
        do throws(CatalogError) {
            let changes = wanted.map { CatalogChange.trash($0.entryPath, $0.md5) }
            let committed = try await sync.backup.catalogs.commit(changes, onto: version).version
            let lost = wanted.filter { !here.contains($0.md5) }.map(\.path)
            let count = sync.settings.trashesAllMissing ? nil : lost.count
            // If this fails, the next sync finds the entries in the trash.
            try? await apply(wanted.map { .removed($0.path) } + syncState.removalRows(count, on: sync.backup.today))
            summary.trashedEntries += lost
            return committed
        } catch {
            summary.ending = .stopped(.catalog(error))
            return nil
        }
    }

    /// Returns the removals that may be carried out: files that were only moved, and the others unless they are too
    /// many together with recent ones. A disk that loses folder after folder, or a long `rm -r`, is seen in several
    /// parts.
    mutating func withholdRemovals(_ removals: [SyncedFile], _ here: Set<ContentDigest>) -> [SyncedFile] {
        guard !removals.isEmpty else { return [] }
        let (lost, before) = (removals.count { !here.contains($0.md5) }, syncState.removedCount(by: sync.backup.today))
        let isTooMuch = lost > 0 && lost + before > SyncSettings.maximumLosses(of: syncState.files.count + before)
        guard isTooMuch, !sync.settings.trashesAllMissing else { return removals }
        summary.withheldEntries = lost
        return removals.filter { here.contains($0.md5) }
    }

    /// Returns the contents of removed files that exist at another path in the folder: these files were only moved.
    func remainingContents(of removals: [SyncedFile]) -> Set<ContentDigest> {
        guard !removals.isEmpty else { return [] }
        let removed = Set(removals.map(\.md5))
        return local.photos.reduce(into: []) { here, photo in
            if let md5 = photo.md5, removed.contains(md5) { here.insert(md5) }
        }
    }

    /// Returns the plan without the departures that are losses, if there are too many of them.
    mutating func withholdDepartures(_ plan: SyncPlan) -> SyncPlan {
        let losses = plan.losses
        guard losses.count > SyncSettings.maximumLosses(of: syncState.files.count), !sync.settings.followsAllTrash
        else {
            return plan
        }
        summary.withheldFiles = losses.count
        let held = Set(losses.map(\.photo.path))
        var plan = plan
        plan.departures.removeAll { held.contains($0.photo.path) }
        return plan
    }
}

/// Determines which files were removed.
extension SyncRun {
    /// Returns the removals that are certain: the file does not exist, and no local file with unknown content and the
    /// same length could be the moved file. Counts the removals that unusable names hold back.
    mutating func confirmedRemovals(of plan: SyncPlan, _ catalog: Catalog) -> [SyncedFile] {
        summary.withheldByNames = plan.withheldByNames
        let removals = plan.removals
        guard !removals.isEmpty else { return [] }
        var unusable: Set<Int64> = []
        var unknown = Set(local.photos.lazy.filter { $0.md5 == nil }.map(\.file.fingerprint.size))
        for problem in content.problems {
            if problem.reason == .unusableName, let size = problem.size {
                unusable.insert(size)
                continue
            }
            // A file under a new name that cannot be read.
            guard let size = problem.size, let path = LibraryPath(problem.path), syncState.files[path] == nil else {
                continue
            }
            unknown.insert(size)
        }
        let hasSize = { (removal: SyncedFile, sizes: Set<Int64>) in
            catalog.index(of: removal.entry).map { sizes.contains(catalog.records[$0].size) } ?? false
        }
        let missing = absentFiles(of: unknown.isEmpty ? removals : removals.filter { !hasSize($0, unknown) })
        let sure = unusable.isEmpty ? missing : missing.filter { !hasSize($0, unusable) }
        summary.withheldByNames += missing.count - sure.count
        return sure
    }

    /// Returns the removals whose name has no file any more. File systems that treat two spellings as the same name
    /// report a file under its current spelling; the old spelling then counts as removed.
    private func absentFiles(of removals: [SyncedFile]) -> [SyncedFile] {
        guard !removals.isEmpty else { return [] }
        var here: Set<FileFingerprint>?
        return removals.filter { removal in
            do throws(FileError) {
                let home = try folder.descend(removal.path.folders, makes: false)
                guard let stamp = try home.fingerprint(of: removal.path.name) else { return true }
                if try home.isFolder(removal.path.name) { return true }
                if here == nil { here = Set(local.photos.map(\.file.fingerprint)) }
                return here?.contains(stamp) ?? false
            } catch {
                // A photo may have replaced one of the parent folders.
                let isInPhoto = removal.path.ancestors.contains { local[$0] != nil }
                return error == .missing || error == .wrongKind && isInPhoto
            }
        }
    }
}
