import NIOCore

/// When a photo was taken, as its own EXIF says (DateTimeOriginal, with fraction and offset where given).
///
/// A camera that states no offset means its own wall clock; that clock is then written down as if it were UTC, so the
/// day and the hour read as the person remembers them.
enum TakenDate {
    /// `nil` when the bytes state no date or are not understood; hostile bytes are only not understood.
    static func read(head: ByteBuffer, type: MediaType) -> Timestamp? {
        let bytes = ByteWindow(head)
        let exif: ByteWindow? =
            switch type {
            case .jpeg: JPEGStructure.exif(in: bytes)
            case .png: PNGStructure.exif(in: bytes)
            case .webp: WebPStructure.exif(in: bytes)
            case .heic, .heif, .avif: HEIFStructure.exif(in: bytes)
            case .fujiRAF: RAFStructure.exif(in: bytes)
            default: type.isTIFFBased ? bytes : nil
            }
        return exif.flatMap(ExifDates.taken(in:))
    }
}
