import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync
import Synchronization

/// Calls an app's `ThumbnailMaker` and checks what it makes.
final class CheckedMaker: PictureMaker {
    private let maker: any ThumbnailMaker
    private let wasUnavailable = Mutex(false)

    init(_ maker: any ThumbnailMaker) { self.maker = maker }

    func canMake(_ type: MediaType) -> Bool { maker.supports(mediaType: type.description) }

    var version: String { "\(type(of: maker)) \(maker.version)" }

    var isMissing: Bool { wasUnavailable.withLock { $0 } }

    func pictures(of path: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
        guard !isMissing else { throw .missing }
        let made: MadePictures
        do {
            made = try await maker.pictures(
                of: URL(fileURLWithPath: path), mediaType: type.description, previewQuality: preview)
        } catch {
            switch error {
            case .noPicture: throw .notMade
            case .timedOut: throw .tooSlow
            case .failed(let reason): throw .toolFailed(reason)
            case .cancelled: throw .cancelled
            case .unavailable:
                wasUnavailable.withLock { $0 = true }
                throw .missing
            }
        }
        guard let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: made.thumbnail)) else {
            throw .toolFailed("invalid thumbnail")
        }
        let large = preview == nil ? nil : made.preview.flatMap { Preview(jpeg: ByteBuffer(bytes: $0)) }
        return Pictures(thumbnail: thumbnail, preview: large, color: made.color?.pictureColor)
    }

    func endIdleProcesses() async { await maker.endIdleProcesses() }
}
