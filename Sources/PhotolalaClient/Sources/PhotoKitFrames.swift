#if canImport(Photos) && canImport(AVFoundation)
    import AVFoundation
    import CoreGraphics
    import Foundation
    import PhotoCatalog
    import Photos

    extension PhotoKitSource {
        /// Returns the first frame of a video, which the system reads from the video in the photo library. The video of a
        /// Live Photo has none; thumbnails of photos are made from their bytes.
        public func thumbnail(
            of resource: PhotoResource.ID, in asset: PhotoAsset.ID, maximumPixels: Int
        ) async -> Data? {
            let kind = PhotoKitResources.kind(ofID: resource)
            guard kind == .video || kind == .editedVideo,
                let found = PHAsset.fetchAssets(withLocalIdentifiers: [asset], options: options).firstObject
            else { return nil }
            let request = PHVideoRequestOptions()
            request.isNetworkAccessAllowed = true
            request.deliveryMode = .highQualityFormat
            request.version = kind == .editedVideo ? .current : .original
            let image = await withCheckedContinuation { continuation in
                PHImageManager.default().requestAVAsset(forVideo: found, options: request) { video, _, _ in
                    guard let video else { return continuation.resume(returning: CGImage?.none) }
                    let frame = VideoFrame(video, edge: maximumPixels)
                    Task { continuation.resume(returning: await frame.image()) }
                }
            }
            return image.flatMap {
                ApplePictures.jpeg($0, edge: maximumPixels, quality: ApplePictures.thumbnailQuality)
            }
        }
    }

    /// A frame of a video that is used by one task only.
    private struct VideoFrame: @unchecked Sendable {
        private let video: AVAsset
        private let edge: Int

        init(_ video: AVAsset, edge: Int) { (self.video, self.edge) = (video, edge) }

        func image() async -> CGImage? { await ApplePictures.frame(of: video, edge: edge) }
    }
#endif
