import PhotoCatalog

/// Determines which files were removed, and prevents the removal of many files on either side without confirmation.
struct SyncLosses {
    private let settings: SyncSettings
    private let today: Int
    private let folder: FolderHandle
    private let problems: [ScanProblem]
    private let syncState: SyncState
    private let local: LocalPhotos

    init(_ run: SyncRun, local: LocalPhotos) {
        (settings, today, folder) = (run.sync.settings, run.sync.backup.today, run.folder)
        (problems, syncState, self.local) = (run.content.problems, run.syncState, local)
    }

    /// Returns the removals that are certain: the file does not exist, and no local file with unknown content and the
    /// same length could be the moved file. Counts the removals that unusable names hold back.
    func confirmedRemovals(
        of plan: SyncPlan, _ catalog: Catalog
    ) -> (confirmed: [SyncedFile], withheldByNames: Int) {
        let removals = plan.removals
        guard !removals.isEmpty else { return ([], plan.withheldByNames) }
        var unusable: Set<Int64> = []
        var unknown = Set(local.photos.lazy.filter { $0.md5 == nil }.map(\.file.fingerprint.size))
        for problem in problems {
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
        let certain = unusable.isEmpty ? missing : missing.filter { !hasSize($0, unusable) }
        return (certain, plan.withheldByNames + missing.count - certain.count)
    }

    /// Returns the removals whose name has no file any more. File systems that treat two spellings as the same name
    /// report a file under its current spelling; the old spelling then counts as removed.
    private func absentFiles(of removals: [SyncedFile]) -> [SyncedFile] {
        guard !removals.isEmpty else { return [] }
        var present: Set<FileFingerprint>?
        return removals.filter { removal in
            do throws(FileError) {
                let home = try folder.descend(removal.path.folders, makes: false)
                guard let fingerprint = try home.fingerprint(of: removal.path.name) else { return true }
                if try home.isFolder(removal.path.name) { return true }
                if present == nil { present = Set(local.photos.map(\.file.fingerprint)) }
                return present?.contains(fingerprint) ?? false
            } catch {
                // A photo may have replaced one of the parent folders.
                let isInPhoto = removal.path.ancestors.contains { local[$0] != nil }
                return error == .missing || error == .wrongKind && isInPhoto
            }
        }
    }

    /// Returns the removals that may be carried out: files that were only moved, and the others unless they are too
    /// many together with recent ones. A disk that loses folder after folder, or a long `rm -r`, is seen in several
    /// parts.
    /// - Parameter present: The contents of removed files that exist at another path.
    func allowedRemovals(
        of removals: [SyncedFile], _ present: Set<ContentDigest>
    ) -> (allowed: [SyncedFile], withheld: Int) {
        guard !removals.isEmpty else { return ([], 0) }
        let (lost, before) = (removals.count { !present.contains($0.md5) }, syncState.removedCount(by: today))
        let isTooMuch = lost > 0 && lost + before > SyncSettings.maximumLosses(of: syncState.files.count + before)
        guard isTooMuch, !settings.trashesAllMissing else { return (removals, 0) }
        return (removals.filter { present.contains($0.md5) }, lost)
    }

    /// Divides removals into those of files that are at a new path now and the others, which are reported. One of
    /// several copies counts as removed, too, although its content remains.
    /// - Parameter arrived: The numbers of files with each content at paths that were not synced before.
    static func divide(
        _ removals: [SyncedFile], arrived: [ContentDigest: Int]
    ) -> (moved: [SyncedFile], unmoved: [SyncedFile]) {
        var arrived = arrived
        var (moved, unmoved): ([SyncedFile], [SyncedFile]) = ([], [])
        for removal in removals {
            if let count = arrived[removal.md5], count > 0 {
                arrived[removal.md5] = count - 1
                moved.append(removal)
            } else {
                unmoved.append(removal)
            }
        }
        return (moved, unmoved)
    }

    /// Returns the entries that this sync added for moved files, at most one for each.
    /// - Parameter seen: The largest counter of the catalog before the sync.
    func newEntries(
        of moved: [SyncedFile], by device: DeviceTag, since seen: UInt64, in catalog: Catalog
    ) -> [EntryIdentity] {
        guard !moved.isEmpty else { return [] }
        var missing = moved.reduce(into: [:]) { $0[$1.md5, default: 0] += 1 }
        return local.photos.compactMap { photo in
            guard let md5 = photo.md5, let count = missing[md5], count > 0 else { return nil }
            let entry = EntryIdentity(path: photo.path, md5: md5)
            guard catalog.isAddition(entry, by: device, after: seen) else { return nil }
            missing[md5] = count - 1
            return entry
        }
    }

    /// Returns the contents of removed files that exist at another path in the folder: these files were only moved.
    func remainingContents(of removals: [SyncedFile]) -> Set<ContentDigest> {
        guard !removals.isEmpty else { return [] }
        let removed = Set(removals.map(\.md5))
        return local.photos.reduce(into: []) { present, photo in
            if let md5 = photo.md5, removed.contains(md5) { present.insert(md5) }
        }
    }

    /// Returns the plan without the departures that are losses, if there are too many of them.
    func withholdDepartures(of plan: SyncPlan) -> (plan: SyncPlan, withheld: Int) {
        let losses = plan.losses
        guard losses.count > SyncSettings.maximumLosses(of: syncState.files.count), !settings.followsAllTrash else {
            return (plan, 0)
        }
        let withheld = Set(losses.map(\.photo.path))
        var plan = plan
        plan.departures.removeAll { withheld.contains($0.photo.path) }
        return (plan, losses.count)
    }
}
