import Foundation

/// The photos of this device's folders, known without an account, a server or a store.
///
/// A scan reads each file once and remembers what it told, in the form in which a backup remembers it: whoever signs in
/// later has nothing read again to know what is to be sent.
package struct LocalLibrary: Sendable {
    private let stateFolder: String
    private let zone: CaptureZone?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - stateFolder: where this device remembers what it has read; made where it is missing.
    ///   - zone: the device's time zone, for photos that do not tell theirs; without one their dates have no offset.
    package init(stateFolder: String, zone: CaptureZone? = nil, now: @escaping @Sendable () -> Date) {
        self.stateFolder = stateFolder
        self.zone = zone
        self.now = now
    }

    /// Walks a folder and reads what is new in it. From then on it belongs to the local library.
    /// - Throws: when the folder cannot be used, or the task was cancelled; what was read until then is remembered.
    package func scan(
        _ folder: String, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws(FileError) -> LocalScan {
        let stateFolder = stateFolder
        let (root, journal) = try await FileWork.run { () throws(FileError) in
            let root = try LocalFolder.resolve(folder)
            try LocalFolders(stateFolder: stateFolder).add(root.isEmpty ? "/" : root)
            return (root, BackupJournal.open(BackupJournal.path(in: stateFolder, user: nil, root: root)))
        }
        let start = now()
        let walk = FolderScan(root: root, known: { journal.unchanged($0, $1)?.type }, isForeign: journal.isForeign)
        let found = try await walk.run()
        var scan = LocalScan(folder: root.isEmpty ? "/" : root, found: found)
        var read: [LibraryPath: FileInspection] = [:]
        let dates = OpenFolderDates(root: root, zone: zone, until: .latestCapture(at: Timestamp(whole: start)))
        let contents = try await LocalContents.read(
            found.files, root: root, journal: journal, dates: dates, report: report
        ) { file, inspection in
            // Who writes to it in the same tick of the clock leaves the same stamp: it is read again next time.
            journal.record(file, inspection.stamp.isAtRest(at: start) ? inspection : inspection.ofNoFile)
            read[file.path] = inspection
        } matters: { _ in
            true
        }
        scan.readFiles = contents.readFiles
        scan.problems +=
            contents.problems
            + contents.changed.map {
                ScanProblem(path: $0.description, reason: .changedWhileRead)
            }
        journal.recordForeign(
            found.foreign.filter { !journal.isForeign($0.key, $0.value) && $0.value.isAtRest(at: start) }
                .map { ($0.key, $0.value) }
        )
        scan.photos = found.files.compactMap { file in
            if let inspection = read[file.path] {
                return CatalogEntry(file.path, inspection.stamp, file.type, inspection.md5, inspection.facts)
            }
            return journal.unchanged(file.path, file.stamp).map {
                CatalogEntry(file.path, $0.stamp, $0.type, $0.md5, $0.facts)
            }
        }
        if found.isEmpty {
            if !journal.entries.isEmpty { scan.problems.append(.emptied) }
        } else {
            journal.keepOnly(Set(found.files.map(\.path) + found.leftOut.map(\.path)), unseen: found.problems)
        }
        try await FileWork.run { () throws(FileError) in try journal.compact() }
        return scan
    }

    /// The folders that were scanned, in the order of their names. Blocks.
    package func folders() throws(FileError) -> [String] { try LocalFolders(stateFolder: stateFolder).all() }

    /// Those folders that are in no other one of them: what is in an inner one is in the outer one, too.
    package static func outermost(_ folders: [String]) -> [String] {
        folders.filter { folder in
            !folders.contains { $0 != folder && folder.hasPrefix($0 == "/" ? "/" : "\($0)/") }
        }
    }

    /// Takes a folder out of the local library. Nothing in it is touched. Blocks.
    /// - Parameter folder: one that is not there any more goes by the name that a scan gave it.
    /// - Returns: whether it was in it.
    package func forget(_ folder: String) throws(FileError) -> Bool {
        let root = (try? LocalFolder.resolve(folder)) ?? folder
        let place = root.isEmpty ? "/" : root
        guard try folders().contains(place) else { return false }
        LocalFolders(stateFolder: stateFolder).remove(place)
        StateFile.remove(journalFile(of: place))
        return true
    }

    /// The photos of a folder as the last scan saw them, in the order of their paths. Blocks.
    package func photos(of folder: String) -> [CatalogEntry] {
        BackupJournal.load(journalFile(of: folder)).entries.map { path, known in
            CatalogEntry(path, known.stamp, known.type, known.md5, known.facts)
        }.sorted { $0.path < $1.path }
    }

    private func journalFile(of folder: String) -> String {
        BackupJournal.path(in: stateFolder, user: nil, root: folder == "/" ? "" : folder)
    }
}

extension CatalogEntry {
    fileprivate init(
        _ path: LibraryPath, _ stamp: FileStamp, _ type: MediaType, _ md5: ContentDigest, _ facts: MediaFacts
    ) {
        self.init(path: path, md5: md5, size: stamp.size, modified: stamp.modified, type: type, media: facts)
    }
}
