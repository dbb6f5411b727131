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
        /// The JPEG quality of thumbnails.
        private static let thumbnailQuality = 80

        static func canDecode(_ type: MediaType) -> Bool {
            let types: [MediaType] = [
                .jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff, .mp4, .quickTime, .mobile3GPP,
            ]
            return types.contains(type) || type.isRAW
        }

        /// - Returns: `nil` if the file has no picture that can be decoded.
        func pictures(of file: URL, isVideo: Bool, previewQuality: Int?) async -> MadePictures? {
            let edge = previewQuality == nil ? Thumbnail.edge : Preview.edge
            guard
                let image = isVideo
                    ? await Self.frame(of: file, edge: edge) : Self.photo(at: file, edge: edge)
            else { return nil }
            let thumbnail = Self.drawn(image, edge: Thumbnail.edge).flatMap {
                Self.jpeg($0, quality: Self.thumbnailQuality)
            }
            guard let thumbnail else { return nil }
            let preview = previewQuality.flatMap { quality in
                Self.drawn(image, edge: Preview.edge).flatMap { Self.jpeg($0, quality: quality) }
            }
            return MadePictures(thumbnail: thumbnail, preview: preview)
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

        /// Returns the upright first frame of a video, reduced to fit a square.
        private static func frame(of file: URL, edge: Int) async -> CGImage? {
            let asset = AVURLAsset(
                url: file,
                options: [AVURLAssetReferenceRestrictionsKey: AVAssetReferenceRestrictions.forbidAll.rawValue])
            let generator = AVAssetImageGenerator(asset: asset)
            generator.appliesPreferredTrackTransform = true
            generator.maximumSize = CGSize(width: edge, height: edge)
            return try? await generator.image(at: .zero).image
        }

        /// Returns a picture in sRGB on white, reduced to fit a square.
        private static func drawn(_ image: CGImage, edge: Int) -> CGImage? {
            let scale = min(1, Double(edge) / Double(max(image.width, image.height, 1)))
            let width = max(1, Int((Double(image.width) * scale).rounded()))
            let height = max(1, Int((Double(image.height) * scale).rounded()))
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                let context = CGContext(
                    data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: space,
                    bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
            else { return nil }
            let area = CGRect(x: 0, y: 0, width: width, height: height)
            context.setFillColor(gray: 1, alpha: 1)
            context.fill(area)
            context.interpolationQuality = .high
            context.draw(image, in: area)
            return context.makeImage()
        }

        private static func jpeg(_ image: CGImage, quality: Int) -> Data? {
            let data = NSMutableData()
            guard
                let destination = CGImageDestinationCreateWithData(
                    data as CFMutableData, "public.jpeg" as CFString, 1, nil)
            else { return nil }
            let options: [CFString: Any] = [kCGImageDestinationLossyCompressionQuality: Double(quality) / 100]
            CGImageDestinationAddImage(destination, image, options as CFDictionary)
            return CGImageDestinationFinalize(destination) ? data as Data : nil
        }
    }
#endif
