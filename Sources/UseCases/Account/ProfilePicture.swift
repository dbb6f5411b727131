import Accounts
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// A profile picture whose header was checked: a JPEG, PNG or WebP file within the limits that is not animated. It is
/// never decoded.
package struct ProfilePicture: Sendable, Equatable {
    /// Why bytes are no profile picture.
    package enum Refusal: Error, Equatable {
        case tooLarge
        /// Not a JPEG, PNG or WebP file, or one whose header has no size.
        case otherFormat
        case tooManyPixels
        /// Parts of the file state different sizes.
        case contradictory
        case animated

        /// The explanation for the caller.
        package var explanation: String {
            switch self {
            case .tooLarge: "The picture must be at most 64 KiB."
            case .otherFormat: "The picture must be a JPEG, PNG or WebP file."
            case .tooManyPixels: "The picture must be at most 512 by 512 pixels."
            case .contradictory: "All parts of the picture must state one size."
            case .animated: "The picture must not be animated."
            }
        }
    }

    package let bytes: ByteBuffer
    /// By the bytes, not by what the sender states.
    package let type: MediaType
    /// Depends only on the bytes: 32 hex digits.
    package let version: String

    package init(_ bytes: ByteBuffer) throws(Refusal) {
        guard bytes.readableBytes <= ProfilePictureLimit.bytes else { throw .tooLarge }
        let head = bytes.getSlice(at: bytes.readerIndex, length: min(bytes.readableBytes, MediaSniffer.headLength))
        guard let type = head.flatMap({ MediaType.sniffed($0, name: "") }), Self.extensions[type] != nil else {
            throw .otherFormat
        }
        let sizes = StatedSizes.all(in: bytes, type)
        guard let size = sizes.first, size.width > 0, size.height > 0 else { throw .otherFormat }
        guard max(size.width, size.height) <= ProfilePictureLimit.edge else { throw .tooManyPixels }
        guard sizes.allSatisfy({ $0 == size }) else { throw .contradictory }
        guard !Self.isAnimated(bytes.readableBytesView, type) else { throw .animated }
        (self.bytes, self.type, version) = (bytes, type, ProfilePictures.version(of: bytes))
    }

    /// The name of the file in an export.
    var fileName: String? { Self.extensions[type].map { "picture.\($0)" } }

    private static let extensions: [MediaType: String] = [.jpeg: "jpg", .png: "png", .webp: "webp"]

    /// Returns whether a PNG has the chunk `acTL` before its pixels (PNG third edition, section 11.3.4.1), or a WebP
    /// the animation flag (RFC 9649 section 2.7).
    private static func isAnimated(_ bytes: ByteBufferView, _ type: MediaType) -> Bool {
        switch type {
        case .png:
            // A chunk has its length, its type, its bytes and a checksum; the first follows the signature.
            var chunk = bytes.dropFirst(8)
            while chunk.count >= 8 {
                let length = chunk.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                let name = chunk.dropFirst(4).prefix(4)
                if name.elementsEqual("acTL".utf8) { return true }
                if name.elementsEqual("IDAT".utf8) { return false }
                chunk = chunk.dropFirst(12 + length)
            }
            return false
        case .webp:
            let (kind, flags) = (bytes.dropFirst(12), bytes.dropFirst(20).first)
            return kind.starts(with: Array("VP8X".utf8)) && flags.map { $0 & 2 != 0 } ?? false
        default: return false
        }
    }
}
