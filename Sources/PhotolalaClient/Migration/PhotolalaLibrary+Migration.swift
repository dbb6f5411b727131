import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Secrets

/// The migration of photos that a device had before there was an account. The local files are not changed.
extension PhotolalaLibrary {
    /// The number of bytes that are uploaded to measure the rate.
    private static let rateSampleBytes = 4 << 20

    /// Scans folders and estimates the migration of their photos to the account. Does not store anything permanently.
    /// - Parameters:
    ///   - folders: The folders; by default, all scanned folders.
    ///   - filter: The photos to migrate, with their companion files.
    public func assessMigration(
        of folders: [URL]? = nil, where filter: PhotoFilter = PhotoFilter()
    ) -> Transfer<TransferProgress, LibraryMigrationAssessment> {
        Transfer { progress throws(PhotolalaError) in
            try await assessMigration(of: folders, where: filter, progress: progress)
        }
    }

    private func assessMigration(
        of folders: [URL]?, where filter: PhotoFilter, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationAssessment {
        let (user, store) = try await open(for: .reading)
        let local = LocalLibrary(stateFolder: stateFolder, zone: zone, now: now)
        let chosen: [URL]
        if let folders { chosen = folders } else { chosen = try scannedFolders(local) }
        return try await assess(scan(chosen, local, progress), where: filter, user: user, store: store)
    }

    /// - Parameter source: The source that was listed; `nil` for folders.
    func assess(
        _ found: (scans: [LocalScan], unusable: [FileFailure], failures: [FileFailure]), where filter: PhotoFilter,
        source: (any PhotoSource)? = nil, user: UserID, store: any ObjectStore
    ) async throws(PhotolalaError) -> LibraryMigrationAssessment {
        let selection = try filter.checkedForDevice()
        let (scans, unusable, failures) = found
        let catalog: Catalog
        do {
            catalog = try await CatalogStore(store: store, user: user, cache: cache(user), pause: pause).load().catalog
        } catch {
            throw PhotolalaError(error)
        }
        let plan: LibraryMigrationPlan
        do {
            plan = try LibraryMigrationPlan(scans, into: catalog, selection: selection)
        } catch {
            throw PhotolalaError(.unknownPaths(error.paths), in: "device")
        }
        let account = try await session.limited(to: user).user()
        return LibraryMigrationAssessment(
            plan: plan, source: source, user: user, filter: filter, unusableFolders: unusable, failures: failures,
            bytesPerSecond: plan.waitingBytes > 0 ? await rate(user, store) : nil,
            storageLimit: account.subscription.storageLimit,
            storageUsed: max(account.storageUsed ?? 0, plan.storedBytes)
        )
    }

    /// Uploads the files that wait. The device records a started migration until it is completed: after a cancellation
    /// or crash, assess it again and resume.
    /// - Parameter assessment: The assessment that the user confirmed.
    public func migrate(_ assessment: LibraryMigrationAssessment) -> Transfer<TransferProgress, LibraryMigrationReport>
    {
        Transfer { progress throws(PhotolalaError) in try await migrate(assessment, progress: progress) }
    }

    private func migrate(
        _ assessment: LibraryMigrationAssessment, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationReport {
        let user = assessment.user
        guard try await session.signedInUserID() == user else { throw .notSignedIn }
        var state = LibraryMigrationState(
            folders: assessment.folders, selection: try? WireJSON.encoder().encode(assessment.filter), startedAt: now()
        )
        try save(state, user)
        var reports: [BackupReport] = []
        let all = LibraryMigrationProgress(of: assessment.plan, report: progress)
        for folder in assessment.plan.folders {
            let place =
                assessment.source.map { BackupPlace.source($0) }
                ?? .folder(URL(fileURLWithPath: folder.folder))
            let report = try await backUp(
                place, as: user, only: folder.wanted, verifying: false, thumbnails: .ofNewPhotos,
                progress: all.record
            )
            all.endFolder()
            reports.append(report)
            if report.stopped != nil { break }
        }
        guard reports.count == assessment.plan.folders.count, reports.allSatisfy(\.isComplete),
            assessment.failures.isEmpty, assessment.unusableFolders.isEmpty, assessment.files > 0
        else {
            return LibraryMigrationReport(folders: reports, completedAt: nil)
        }
        state.completedAt = now()
        try save(state, user)
        return LibraryMigrationReport(folders: reports, completedAt: state.completedAt)
    }

    /// Returns this device's last migration to the signed-in account, if any.
    /// - Throws: `localStorageFailed` if its record cannot be read, `folderUnusable` if it is damaged or of another version.
    ///   Then start a new migration with a new selection.
    public func migrationStatus() async throws(PhotolalaError) -> LibraryMigrationStatus? {
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        do {
            guard let state = try LibraryMigrationState.load(in: stateFolder, user: user) else { return nil }
            return try LibraryMigrationStatus(state)
        } catch {
            switch error {
            case .file(let error): throw PhotolalaError(BackupError.state(error, path: stateFolder), folder: nil)
            case .unreadable:
                throw PhotolalaError(
                    code: .folderUnusable,
                    detail: "Cannot read the selection of the unfinished migration. Start a new migration."
                )
            }
        }
    }

    /// Scans folders. An unusable folder does not prevent the migration of the others.
    private func scan(
        _ folders: [URL], _ local: LocalLibrary, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> (scans: [LocalScan], unusable: [FileFailure], failures: [FileFailure]) {
        var (scans, unusable, failures) = ([String: LocalScan](), [FileFailure](), [FileFailure]())
        for folder in folders {
            do {
                let scan = try await local.scan(folder.path) { progress(TransferProgress($0)) }
                scans[scan.folder] = scan
                failures += scan.problems.map {
                    FileFailure("\(scan.folder)/\($0.path)", $0.reason.failure)
                }
            } catch {
                let failure = PhotolalaError(error, folder: folder)
                guard case .folder(let error) = error, folders.count > 1 else { throw failure }
                let isMissing = error == .missing || error == .wrongKind
                unusable.append(
                    FileFailure(
                        folder.path,
                        isMissing
                            ? FailureReason(.noSuchFolder, "No such folder.")
                            : FailureReason(error.failure.code, failure.detail, error.failure.parameters)))
            }
        }
        let outermost = LocalLibrary.outermost(scans.keys.sorted())
        return (outermost.compactMap { scans[$0] }, unusable, failures)
    }

    private func scannedFolders(_ local: LocalLibrary) throws(PhotolalaError) -> [URL] {
        do {
            return try local.folders().map { URL(fileURLWithPath: $0) }
        } catch {
            throw PhotolalaError(error, folder: nil)
        }
    }

    private func save(_ state: LibraryMigrationState, _ user: UserID) throws(PhotolalaError) {
        do {
            try state.save(in: stateFolder, user: user)
        } catch {
            throw PhotolalaError(BackupError.state(error, path: stateFolder), folder: nil)
        }
    }

    /// Returns the upload rate in bytes per second, from recent transfers or otherwise from an upload of random bytes.
    private func rate(_ user: UserID, _ store: any ObjectStore) async -> Double? {
        if let known = MeasuredRate.load(in: stateFolder, server: session.server.description, now: now()) {
            return known.bytesPerSecond
        }
        guard let store = store as? any UploadProbe else { return nil }
        let bytes = ByteBuffer(bytes: Randomness.system.bytes(Self.rateSampleBytes))
        let key = ObjectKey(known: StorageLayout.photo(user, md5: "\(ContentDigest(of: bytes))"))
        let start = now()
        do throws(ObjectStoreError) { try await store.probeUpload(bytes, to: key) } catch { return nil }
        let seconds = now().timeIntervalSince(start)
        return seconds > 0 ? Double(bytes.readableBytes) / seconds : nil
    }
}
