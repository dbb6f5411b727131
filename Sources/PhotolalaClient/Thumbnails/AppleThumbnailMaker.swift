#if canImport(ImageIO) && canImport(AVFoundation)
    import AVFoundation
    import CoreGraphics
    import Foundation
    import ImageIO
    import PhotoCatalog

    /// Makes thumbnails and previews with ImageIO, also of HEIC and RAW photos, and with AVFoundation of the first frame of
    /// videos. Libraries on Apple's systems use it if `photolala-thumbnailer` is not installed.
    ///
    /// It decodes in this process, one file at a time, with the system's decoders and without a time limit. Files that a
    /// video refers to are not read.
    public struct AppleThumbnailMaker: ThumbnailMaker {
        private let decoder = AppleDecoder()

        /// Creates a maker.
        public init() {}

        /// Returns whether the type is one of the photos, RAW photos and videos that ImageIO and AVFoundation decode on all
        /// current systems.
        public func supports(mediaType: String) -> Bool { MediaType(mediaType).map(AppleDecoder.canDecode) ?? false }

        /// The version of the system.
        public var version: String { ProcessInfo.processInfo.operatingSystemVersionString }

        /// Makes the thumbnail and the preview of a file.
        public func pictures(
            of file: URL, mediaType: String, previewQuality: Int?
        ) async throws(ThumbnailMakerError) -> MadePictures {
            let isVideo = MediaType(mediaType)?.isVideo ?? false
            guard let made = await decoder.pictures(of: file, isVideo: isVideo, previewQuality: previewQuality) else {
                throw Task.isCancelled ? .cancelled : .noPicture
            }
            return made
        }
    }

    /// Decodes one file at a time, to limit memory.
    private actor AppleDecoder {
        static func canDecode(_ type: MediaType) -> Bool {
            let types: [MediaType] = [
                .jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff, .mp4, .quickTime, .mobile3GPP,
            ]
            return types.contains(type) || type.isRAW
        }

        /// - Returns: `nil` if the file has no picture that can be decoded.
        func pictures(of file: URL, isVideo: Bool, previewQuality: Int?) async -> MadePictures? {
            let edge = previewQuality == nil ? Thumbnail.longestEdge : Preview.edge
            guard
                let image = isVideo
                    ? await ApplePictures.frame(of: Self.video(at: file), edge: edge)
                    : Self.photo(at: file, edge: edge),
                let thumbnail = ApplePictures.thumbnail(of: image)
            else { return nil }
            let preview = previewQuality.flatMap { ApplePictures.jpeg(image, edge: Preview.edge, quality: $0) }
            return MadePictures(thumbnail: thumbnail, preview: preview, color: ApplePictures.averageColor(of: image))
        }

        private static func video(at file: URL) -> AVURLAsset {
            let restrictions = AVAssetReferenceRestrictions.forbidAll.rawValue
            return AVURLAsset(url: file, options: [AVURLAssetReferenceRestrictionsKey: restrictions])
        }

        /// Returns an upright photo that is reduced to fit a square.
        private static func photo(at file: URL, edge: Int) -> CGImage? {
            let options: [CFString: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceThumbnailMaxPixelSize: edge,
            ]
            return CGImageSourceCreateWithURL(file as CFURL, nil).flatMap {
                CGImageSourceCreateThumbnailAtIndex($0, 0, options as CFDictionary)
            }
        }
    }
#endif
