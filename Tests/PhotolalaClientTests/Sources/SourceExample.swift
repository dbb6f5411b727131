import Foundation
import PhotolalaClient

/// The code of the article about photo libraries.
struct SourceExample {
    func backUp(
        _ jpeg: Data, taken: Date, to library: PhotolalaLibrary, show: (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> (report: BackupReport, waiting: Int) {
        let photo = PhotoResource(id: "photo", kind: .photo, name: "IMG_0001.JPG", modified: taken)
        let source = StreamSource(id: "camera", assets: [PhotoAsset(id: "1", created: taken, resources: [photo])]) {
            _, _ in
            AsyncThrowingStream {
                $0.yield(jpeg)
                $0.finish()
            }
        }
        let backup = library.backUp(source)
        for await progress in backup { show(progress) }
        let report = try await backup.report
        for failure in report.failures { print("\(failure.path): \(failure.reason)") }
        let waiting = try await library.status(of: source).report.waitingFiles
        return (report, waiting)
    }

    func sync(
        _ source: any PhotoSource, to library: PhotolalaLibrary, askWhetherToRemove: (Int) -> Void
    ) async throws(PhotolalaError) -> SourceSyncReport {
        let synced = try await library.syncUp(source, removals: .moveToTrash).report
        if synced.heldAssets > 0 { askWhetherToRemove(synced.heldAssets) }
        return synced
    }
}
