import Foundation
import PhotolalaClient

/// The long operations of a library that the screens run. ``PhotolalaLibrary`` implements it.
protocol LibraryTransfers: Sendable {
    func migrationStatus() async throws(PhotolalaError) -> LibraryMigrationStatus?
    @MainActor
    func assess(
        _ folders: [URL], where filter: PhotoFilter, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationAssessment
    @MainActor
    func migrate(
        _ assessment: LibraryMigrationAssessment, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationReport
    @MainActor
    func export(
        to file: URL, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ExportReport
}

extension PhotolalaLibrary: LibraryTransfers {
    @MainActor
    func assess(
        _ folders: [URL], where filter: PhotoFilter, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationAssessment {
        try await assessMigration(of: folders, where: filter).report(showing: progress)
    }

    @MainActor
    func migrate(
        _ assessment: LibraryMigrationAssessment, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationReport {
        try await migrate(assessment).report(showing: progress)
    }

    @MainActor
    func export(
        to file: URL, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ExportReport {
        try await export(to: file).report(showing: progress)
    }
}

extension Transfer {
    /// Shows the progress until the operation ends. Cancelling the task cancels the operation.
    @MainActor
    fileprivate func report(showing show: @MainActor (Progress) -> Void) async throws(PhotolalaError) -> Report {
        for await progress in self { show(progress) }
        return try await report
    }
}

extension TransferStopReason {
    /// Whether the transfer stopped because the account is not signed in on this device any more.
    var endsSession: Bool { code == .sessionEnded || code == .notSignedIn }
}
