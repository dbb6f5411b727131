import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Secrets
import VipsThumbnails

/// What makes thumbnails and previews on this device.
package enum ThumbnailTools: Equatable, Sendable {
    case installed(ffmpeg: Bool)
    /// `photolala-thumbnailer` is not installed.
    case lacksProgram
    /// libvips is not installed, or too old.
    case lacksLibrary
    case failed(String)
}

extension PhotolalaLibrary {
    /// Lists at most one of the account's photos in the photo store, with new credentials.
    package func checkStore() async throws(PhotolalaError) {
        let (user, store) = try await open(for: .reading)
        do throws(ObjectStoreError) {
            _ = try await store.list(prefix: StorageLayout.photos(user), after: nil, limit: 1)
        } catch { throw PhotolalaError(error) }
    }
}

extension ThumbnailTools {
    #if os(Linux) || os(macOS)
        /// A picture of one pixel (PNG).
        private static let picture = Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")

        /// Makes a thumbnail of one pixel.
        /// - Parameters:
        ///   - program: The path of the program beside which the thumbnailer may be.
        ///   - path: The folders of programs (`PATH`).
        package static func check(beside program: String?, in path: String) async -> ThumbnailTools {
            guard let worker = VipsThumbnailMaker.findWorker(beside: program, in: path) else { return .lacksProgram }
            let ffmpeg = VipsThumbnailMaker.findFFmpeg(in: path)
            let maker = VipsThumbnailMaker(worker: worker, ffmpeg: ffmpeg, processes: 1) {
                try await Task.sleep(for: $0)
            }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "photolala-\(Randomness.system.uuid()).png")
            defer { try? FileManager.default.removeItem(at: file) }
            do {
                try picture?.write(to: file)
            } catch { return .failed("Cannot write \(file.path): \(error.localizedDescription)") }
            var tools = ThumbnailTools.installed(ffmpeg: ffmpeg != nil)
            do throws(ThumbnailError) {
                _ = try await maker.pictures(of: file.path, type: .png, preview: nil)
            } catch {
                let reason = error.reason ?? "interrupted"
                tools =
                    error == .missing
                    ? .lacksLibrary
                    : .failed(
                        "photolala-thumbnailer creates no thumbnail of a correct photo (\(reason)). Reinstall photolala and "
                            + "libvips.")
            }
            await maker.endIdleProcesses()
            return tools
        }
    #endif
}
