import NIOCore

/// What photos and videos say of themselves: EXIF in the structure of each kind, and QuickTime's own words.
///
/// A camera that states no offset means its own wall clock; that clock is then written down as if it were UTC, so the
/// day and the hour read as the person remembers them. Hostile bytes are only not understood.
extension MediaFacts {
    /// From the beginning of a file, or from all of it.
    static func read(head: ByteBuffer, type: MediaType) -> MediaFacts { read(MediaBytes(head), type: type) }

    static func read(_ bytes: MediaBytes, type: MediaType) -> MediaFacts {
        switch type {
        case .jpeg: photo(JPEGStructure.exif(in: bytes.head), JPEGStructure.dimensions(in: bytes.head))
        case .png: photo(PNGStructure.exif(in: bytes.head), PNGStructure.dimensions(in: bytes.head))
        case .webp: photo(WebPStructure.exif(in: bytes.head), WebPStructure.dimensions(in: bytes.head))
        case .gif: photo(nil, GIFStructure.dimensions(in: bytes.head))
        case .heic, .heif, .avif: heif(bytes.head)
        // The preview's size is not the picture's.
        case .fujiRAF: photo(RAFStructure.exif(in: bytes.head), nil)
        case .quickTime, .mp4, .mobile3GPP: QuickTimeStructure.facts(in: bytes)
        default: type.isTIFFBased ? tiff(bytes.head) : MediaFacts()
        }
    }

    private static func photo(_ exif: ByteWindow?, _ size: PixelSize?) -> MediaFacts {
        let tiff = exif.flatMap(TIFFStructure.init)
        return MediaFacts(
            taken: tiff?.taken, width: size?.width, height: size?.height, orientation: tiff?.orientation
        )
    }

    /// A HEIF file is turned as its own properties say; the EXIF beside them tells the same again and is not heard.
    private static func heif(_ bytes: ByteWindow) -> MediaFacts {
        let properties = HEIFProperties(in: bytes)
        return MediaFacts(
            taken: HEIFStructure.exif(in: bytes).flatMap(TIFFStructure.init)?.taken, width: properties?.size?.width,
            height: properties?.size?.height, orientation: properties?.orientation
        )
    }

    private static func tiff(_ bytes: ByteWindow) -> MediaFacts {
        guard let tiff = TIFFStructure(bytes) else { return MediaFacts() }
        let size = tiff.mainImage
        return MediaFacts(taken: tiff.taken, width: size?.width, height: size?.height, orientation: tiff.orientation)
    }
}
