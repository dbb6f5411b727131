import Foundation
import Observation
import PhotolalaClient

/// The migration of photos that the device had before there was an account: selection, estimate, upload. The files on
/// the device are not changed.
@MainActor @Observable
public final class MigrationModel {
    /// The state of the screen.
    public enum State: Sendable, Equatable {
        /// The record of an earlier migration is being read.
        case loading
        /// The person selects folders and kinds of files.
        case selecting
        /// The folders are read and compared with the library.
        case estimating
        /// The person decides whether to upload.
        case estimated(MigrationEstimate)
        /// The photos are uploaded.
        case uploading(MigrationEstimate)
        /// The upload has ended, completely or not.
        case finished(MigrationResult)
        /// The account is not signed in on this device any more: show the welcome screen.
        case signedOut
    }

    /// A kind of file that a person can select.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Pictures with their sidecars.
        case photos
        /// Videos.
        case videos
    }

    /// The current state.
    public private(set) var state = State.loading
    /// Why the last action failed; `nil` after the next one begins.
    public private(set) var failure: ScreenFailure?
    /// The folders to choose from.
    public private(set) var folders: [URL]
    /// The selected folders.
    public private(set) var selectedFolders: Set<URL>
    /// The selected kinds of files.
    public private(set) var selectedKinds = Set(Kind.allCases)
    /// The progress of the estimate or upload.
    public private(set) var progress = TransferProgress()
    /// An earlier migration on this device that was not completed.
    public private(set) var unfinished: LibraryMigrationStatus?

    @ObservationIgnored private let transfers: any LibraryTransfers
    @ObservationIgnored private let task = SingleTask()
    @ObservationIgnored private var assessment: LibraryMigrationAssessment?

    /// Creates the model. The screen calls ``load()``.
    /// - Parameter folders: The folders to choose from: those that `PhotolalaLocalLibrary` has scanned, for example.
    public convenience init(library: PhotolalaLibrary, folders: [URL]) {
        self.init(transfers: library, folders: folders)
    }

    init(transfers: any LibraryTransfers, folders: [URL]) {
        (self.transfers, self.folders, selectedFolders) = (transfers, folders, Set(folders))
    }

    /// Whether an estimate is possible.
    public var canEstimate: Bool { state == .selecting && !selectedFolders.isEmpty && !selectedKinds.isEmpty }

    /// Reads whether an earlier migration was not completed.
    public func load() {
        switch state {
        case .loading, .selecting, .signedOut: select()
        case .estimating, .estimated, .uploading, .finished: break
        }
    }

    /// Selects or deselects a folder.
    public func setFolder(_ folder: URL, isSelected: Bool) {
        guard state == .selecting, folders.contains(folder) else { return }
        if isSelected { selectedFolders.insert(folder) } else { selectedFolders.remove(folder) }
    }

    /// Selects or deselects a kind of file.
    public func setKind(_ kind: Kind, isSelected: Bool) {
        guard state == .selecting else { return }
        if isSelected { selectedKinds.insert(kind) } else { selectedKinds.remove(kind) }
    }

    /// Estimates the migration of the selection.
    public func estimate() {
        guard canEstimate else { return }
        var filter = PhotoFilter()
        if selectedKinds == [.photos] { filter.kinds = [.photo, .sidecar] }
        if selectedKinds == [.videos] { filter.kinds = [.video] }
        estimate(folders.filter(selectedFolders.contains), filter)
    }

    /// Estimates what is left of the earlier migration, with its selection.
    public func resume() {
        guard state == .selecting, let unfinished else { return }
        estimate(unfinished.folders.map { URL(fileURLWithPath: $0) }, unfinished.filter)
    }

    /// Uploads what the estimate contains.
    public func upload() {
        guard case .estimated(let estimate) = state, let assessment else { return }
        task.start {
            (state, failure, progress) = (.uploading(estimate), nil, TransferProgress())
        } then: { [self] in
            do throws(PhotolalaError) {
                let report = try await transfers.migrate(assessment) { progress = $0 }
                let isSignedOut = report.folders.contains { $0.stopped?.endsSession == true }
                state = isSignedOut ? .signedOut : .finished(MigrationResult(report))
            } catch {
                // After a cancellation, the selection offers to continue with a new estimate.
                await fail(ScreenFailure(error), in: Task.isCancelled ? .selecting : .estimated(estimate))
            }
        }
    }

    /// Returns to the selection.
    public func startOver() {
        switch state {
        case .estimated, .finished: select()
        case .loading, .selecting, .estimating, .uploading, .signedOut: break
        }
    }

    /// Requests the end of the estimate or upload. Uploaded photos are kept.
    public func cancel() { task.cancel() }

    /// Returns when nothing is running.
    func wait() async { await task.wait() }

    private func estimate(_ folders: [URL], _ filter: PhotoFilter) {
        task.start {
            (state, failure, progress) = (.estimating, nil, TransferProgress())
        } then: { [self] in
            do throws(PhotolalaError) {
                let assessment = try await transfers.assess(folders, where: filter) { progress = $0 }
                self.assessment = assessment
                state = .estimated(MigrationEstimate(assessment))
            } catch {
                await fail(ScreenFailure(error), in: .selecting)
            }
        }
    }

    private func select() {
        task.start {
            (state, failure) = (.loading, nil)
        } then: { [self] in
            await readUnfinished()
        }
    }

    private func fail(_ failure: ScreenFailure, in next: State) async {
        if failure.endsSession {
            state = .signedOut
        } else {
            self.failure = failure.shown
            if next == .selecting { await readUnfinished() } else { state = next }
        }
    }

    /// Reads the earlier migration, then shows the selection. An unreadable record does not prevent a new migration.
    private func readUnfinished() async {
        unfinished = nil
        do throws(PhotolalaError) {
            let status = try await transfers.migrationStatus()
            if status?.completedAt == nil { unfinished = status }
            state = .selecting
        } catch {
            let failure = ScreenFailure(error)
            if failure.endsSession {
                state = .signedOut
            } else {
                (state, self.failure) = (.selecting, failure)
            }
        }
    }
}
