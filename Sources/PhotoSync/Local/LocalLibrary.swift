import Foundation
import PhotoCatalog

/// The photos in this device's folders, without an account, a server or a store.
///
/// A scan reads each file once and records the results in the format of a backup journal, so that a backup after a
/// later sign-in need not read the files again.
package struct LocalLibrary: Sendable {
    private let stateFolder: String
    private let zone: CaptureZone?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - stateFolder: The folder in which this device stores its scan results; created if it does not exist.
    ///   - zone: The device's time zone, for photos that do not record theirs. Without it their dates have no offset.
    package init(stateFolder: String, zone: CaptureZone? = nil, now: @escaping @Sendable () -> Date) {
        self.stateFolder = stateFolder
        self.zone = zone
        self.now = now
    }

    /// Walks a folder, reads its new files, and adds the folder to the local library.
    /// - Throws: If the folder or the state of this device cannot be used, or the task was cancelled. Files read before that
    ///   remain recorded.
    package func scan(
        _ folder: String, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws(BackupError) -> LocalScan {
        let root: FolderRoot
        do throws(FileError) {
            root = try await FileWork.run { () throws(FileError) in FolderRoot(path: try LocalFolder.resolve(folder)) }
        } catch { throw BackupError(error) }
        let journal = try await state { (stateFolder) throws(FileError) in
            try LocalFolders(stateFolder: stateFolder).add(root.path.isEmpty ? "/" : root.path)
            return BackupJournal.open(BackupJournal.path(in: stateFolder, user: nil, root: root.stateName))
        }
        let start = now()
        let source = FolderFiles(root: root, filter: FolderFilter(), journal: journal)
        let found: ScanResult
        do throws(FileError) { found = try await source.scan.run() } catch { throw BackupError(error) }
        var scan = LocalScan(folder: root.path.isEmpty ? "/" : root.path, found: found)
        var read: [LibraryPath: FileInspection] = [:]
        let dates = OpenFolderDates(
            source: LocalDateSource(root: root), zone: zone, until: .latestCapture(at: Timestamp(whole: start)))
        let contents: LocalContents
        do throws(FileError) {
            contents = try await LocalContents.read(
                found.files, from: source, journal: journal, dates: dates, report: report
            ) { file, inspection in
                // A write within the same clock tick leaves the fingerprint unchanged, so such a file is read again by
                // the next scan.
                journal.record(
                    file, inspection.fingerprint.isAtRest(at: start) ? inspection : inspection.matchingNoFile)
                read[file.path] = inspection
            } matters: { _ in
                true
            }
        } catch { throw BackupError(error) }
        scan.readFiles = contents.readFiles
        scan.problems +=
            contents.problems
            + contents.changed.map {
                ScanProblem(path: $0.description, reason: .changedWhileRead)
            }
        journal.recordNonMedia(
            found.nonMedia.filter { !journal.isNonMedia($0.key, $0.value) && $0.value.isAtRest(at: start) }
                .map { ($0.key, $0.value) }
        )
        scan.photos = found.files.compactMap { file in
            if let inspection = read[file.path] {
                return CatalogEntry(file.path, inspection.fingerprint, file.type, inspection.md5, inspection.facts)
            }
            return journal.unchanged(file.path, file.fingerprint).map {
                CatalogEntry(file.path, $0.fingerprint, $0.type, $0.md5, $0.facts)
            }
        }
        if found.isEmpty {
            if !journal.entries.isEmpty { scan.problems.append(.emptied) }
        } else {
            journal.retainOnly(Set(found.files.map(\.path) + found.leftOut.map(\.path)), unseen: found.problems)
        }
        try await state { (_) throws(FileError) in try journal.compact() }
        return scan
    }

    /// Reads or writes the state of this device.
    private func state<Value: Sendable>(
        _ work: @escaping @Sendable (_ stateFolder: String) throws(FileError) -> Value
    ) async throws(BackupError) -> Value {
        let stateFolder = stateFolder
        do throws(FileError) {
            return try await FileWork.run { () throws(FileError) in try work(stateFolder) }
        } catch { throw BackupError(state: error, at: stateFolder) }
    }

    /// Returns the folders that were scanned, sorted by path. Blocks.
    package func folders() throws(BackupError) -> [String] {
        do throws(FileError) { return try LocalFolders(stateFolder: stateFolder).all() } catch {
            throw BackupError(state: error, at: stateFolder)
        }
    }

    /// Returns those folders that are not inside another one of them; the files of an inner folder are also in the
    /// outer one.
    package static func outermost(_ folders: [String]) -> [String] {
        folders.filter { folder in
            !folders.contains { $0 != folder && folder.hasPrefix($0 == "/" ? "/" : "\($0)/") }
        }
    }

    /// Removes a folder from the local library, without changing the folder. Blocks.
    /// - Parameter folder: A path. For a folder that no longer exists, the path that its scan returned.
    /// - Returns: Whether the folder was in the library.
    package func forget(_ folder: String) throws(BackupError) -> Bool {
        let root = (try? LocalFolder.resolve(folder)) ?? folder
        let path = root.isEmpty ? "/" : root
        guard try folders().contains(path) else { return false }
        LocalFolders(stateFolder: stateFolder).remove(path)
        StateFile.remove(journalFile(of: path))
        return true
    }

    /// Returns the photos of a folder as of its last scan, sorted by path. Blocks.
    package func photos(of folder: String) -> [CatalogEntry] {
        BackupJournal.load(journalFile(of: folder)).entries.map { path, known in
            CatalogEntry(path, known.fingerprint, known.type, known.md5, known.facts)
        }.sorted { $0.path < $1.path }
    }

    private func journalFile(of folder: String) -> String {
        BackupJournal.path(in: stateFolder, user: nil, root: folder == "/" ? "" : folder)
    }
}

extension CatalogEntry {
    fileprivate init(
        _ path: LibraryPath, _ fingerprint: FileFingerprint, _ type: MediaType, _ md5: ContentDigest,
        _ facts: MediaFacts
    ) {
        self.init(
            path: path, md5: md5, size: fingerprint.size, modified: fingerprint.modified, type: type, media: facts)
    }
}
