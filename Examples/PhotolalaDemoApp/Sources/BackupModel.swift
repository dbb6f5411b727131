import BackgroundTasks
import Foundation
import Observation
import PhotolalaClient
import Photos

/// The backup of the camera roll.
@MainActor @Observable
final class BackupModel {
    private(set) var progress: TransferProgress?
    private(set) var message = ""

    @ObservationIgnored private let library: PhotolalaLibrary
    @ObservationIgnored private var transfer: Transfer<TransferProgress, BackupReport>?

    init(_ library: PhotolalaLibrary) { self.library = library }

    /// Asks for access to the photos, then backs up those that are not stored yet.
    func start() async {
        _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
        WakeUp.schedule()
        await run()
    }

    /// Backs up. A backup that was stopped, also by the system, is resumed by the next one.
    func run() async {
        guard transfer == nil else { return }
        let backup = library.backUp(PhotoKitSource())
        transfer = backup
        await withTaskCancellationHandler {
            for await progress in backup { self.progress = progress }
        } onCancel: {
            backup.cancel()
        }
        do {
            let report = try await backup.report
            // A backup that stopped early, for example without a network, has files that it did not try.
            message =
                report.isComplete
                ? "All photos are backed up."
                : report.stopped?.detail ?? "Not backed up: \(report.failures.count). Try again later."
        } catch {
            message = error.detail
        }
        (transfer, progress) = (nil, nil)
    }

    func stop() { transfer?.cancel() }
}

/// The request to be woken for half a minute. Uploads that continue while the app does not run need the SDK's
/// `BackgroundBackup`, and a server whose certificate the system accepts.
enum WakeUp {
    /// Also in Info.plist.
    static let identifier = "com.example.photolala.demo.backup"

    /// Asks the system for a wake-up, not before an hour.
    static func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
        try? BGTaskScheduler.shared.submit(request)
    }
}
