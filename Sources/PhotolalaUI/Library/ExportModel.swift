import Foundation
import Observation
import PhotolalaClient

/// What a person does on the screen of exports.
public enum ExportAction: Sendable, Equatable {
    /// Creates an export, or continues one that was interrupted.
    case create
}

/// Exports the account to a ZIP archive on this device.
@MainActor @Observable
public final class ExportModel {
    /// The state machine of the screen.
    public let flow: ScreenFlow<ExportAction>
    /// The progress of the running export.
    public private(set) var progress = TransferProgress()
    /// The result of the last export. If it has no size, the same action continues it.
    public private(set) var report: ExportReport?
    /// The archive of the running or interrupted export.
    public private(set) var file: URL?

    @ObservationIgnored private let transfers: any LibraryTransfers
    @ObservationIgnored private let makeFile: @MainActor () -> URL

    /// Creates the model. The screen calls `flow.load()`.
    /// - Parameter makeFile: Returns the archive of a new export, which must not exist.
    public convenience init(
        _ context: ScreenContext, library: PhotolalaLibrary, makeFile: @escaping @MainActor () -> URL
    ) {
        self.init(context, transfers: library, makeFile: makeFile)
    }

    init(_ context: ScreenContext, transfers: any LibraryTransfers, makeFile: @escaping @MainActor () -> URL) {
        (self.transfers, self.makeFile) = (transfers, makeFile)
        flow = ScreenFlow(context)
        flow.connect(
            fetch: { [weak self] in try await self?.requireSession() },
            perform: { [weak self] _ in try await self?.export() ?? .ready })
    }

    /// Whether the next action continues an interrupted export.
    public var isInterrupted: Bool { file != nil && report?.bytes == nil }

    private func requireSession() async throws {
        guard try await flow.context.account.signedInUserID() != nil else { throw ScreenFailure.notSignedIn }
    }

    private func export() async throws -> ScreenOutcome {
        try await requireSession()
        let file = isInterrupted ? file ?? makeFile() : makeFile()
        (self.file, report, progress) = (file, nil, TransferProgress())
        let report: ExportReport
        do throws(PhotolalaError) {
            report = try await transfers.export(to: file) { progress = $0 }
        } catch {
            // Not an export of this screen: the next one gets another file.
            if error.code == .fileUnusable { self.file = nil }
            throw error
        }
        self.report = report
        return report.stopped?.endsSession == true ? .signedOut : .ready
    }
}
