#if canImport(ImageIO) && canImport(AVFoundation)
    import AVFoundation
    import CoreGraphics
    import Foundation
    import ImageIO
    import PhotoCatalog

    /// The steps from what the system decodes to a thumbnail or preview.
    enum ApplePictures {
        /// The JPEG quality of thumbnails.
        static let thumbnailQuality = 80

        /// Returns the upright first frame of a video, reduced to fit a square.
        static func frame(of asset: AVAsset, edge: Int) async -> CGImage? {
            let generator = AVAssetImageGenerator(asset: asset)
            generator.appliesPreferredTrackTransform = true
            generator.maximumSize = CGSize(width: edge, height: edge)
            return try? await generator.image(at: .zero).image
        }

        /// Returns a picture as a JPEG in sRGB, on white, reduced to fit a square.
        static func jpeg(_ image: CGImage, edge: Int, quality: Int) -> Data? {
            drawn(image, edge: edge).flatMap { encoded($0, quality: quality) }
        }

        /// Returns the thumbnail of a picture. Noise may exceed the maximum size at the first quality.
        static func thumbnail(of image: CGImage) -> Data? {
            drawn(image, edge: Thumbnail.edge(ofPicture: image.width, image.height)).flatMap { small in
                [thumbnailQuality, 60, 40].lazy.compactMap { encoded(small, quality: $0) }.first {
                    $0.count <= Thumbnail.sizeLimit
                }
            }
        }

        /// Returns the average color of a picture on white in sRGB, as one pixel of it.
        static func averageColor(of image: CGImage) -> PlaceholderColor? {
            // The reduction to a few pixels comes first: one pixel alone is not the average of all in each release.
            guard let small = drawn(image, edge: 32), let space = CGColorSpace(name: CGColorSpace.sRGB) else {
                return nil
            }
            var pixel: [UInt8] = [255, 255, 255, 255]
            let isDrawn = pixel.withUnsafeMutableBytes { bytes in
                guard
                    let context = CGContext(
                        data: bytes.baseAddress, width: 1, height: 1, bitsPerComponent: 8, bytesPerRow: 4, space: space,
                        bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
                else { return false }
                context.interpolationQuality = .high
                context.draw(small, in: CGRect(x: 0, y: 0, width: 1, height: 1))
                return true
            }
            return isDrawn ? PlaceholderColor(red: pixel[0], green: pixel[1], blue: pixel[2]) : nil
        }

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

        private static func encoded(_ image: CGImage, quality: Int) -> Data? {
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
