import NIOCore

/// What photos and videos say of themselves: EXIF in the structure of each kind, XMP in JPEG, PNG, WebP and HEIF files, and
/// QuickTime's own words. Hostile bytes are only not understood.
package struct MediaReading: Sendable, Equatable {
    /// The length of a file's beginning that contains its type and capture date in practice, in bytes.
    static let headLength = 512 << 10

    /// The facts without the date.
    package var facts = MediaFacts()
    package var clues = CaptureClues()

    /// Reads the beginning of a file, or all of it.
    package init(head: ByteBuffer, type: MediaType) { self.init(MediaBytes(head), type: type) }

    package init(_ bytes: MediaBytes, type: MediaType) {
        self.init()
        let head = bytes.head
        switch type {
        case .jpeg:
            self = Self(
                JPEGStructure.exif(in: head), JPEGStructure.dimensions(in: head), xmp: JPEGStructure.xmp(in: head))
        case .png:
            self = Self(PNGStructure.exif(in: head), PNGStructure.dimensions(in: head), xmp: PNGStructure.xmp(in: head))
        case .webp:
            self = Self(
                WebPStructure.exif(in: head), WebPStructure.dimensions(in: head), xmp: WebPStructure.xmp(in: head))
        case .gif: self = Self(nil, GIFStructure.dimensions(in: head))
        case .heic, .heif, .avif: self = Self(heif: head)
        // The size of the preview differs from that of the picture.
        case .fujiRAF: self = Self(RAFStructure.exif(in: head), nil)
        case .canonCR3: self = CR3Structure.reading(in: head)
        case .quickTime, .mp4, .mobile3GPP: self = QuickTimeStructure.reading(in: bytes)
        default: if type.isTIFFBased { self = Self(tiff: head) }
        }
    }

    /// Returns whether the camera can be read from files of a type.
    package static func findsCamera(in type: MediaType) -> Bool {
        let known: [MediaType] = [.jpeg, .png, .webp, .heic, .heif, .avif, .fujiRAF, .canonCR3]
        return known.contains(type) || findsDuration(in: type) || type.isTIFFBased
    }

    /// Returns whether the duration can be read from files of a type.
    package static func findsDuration(in type: MediaType) -> Bool {
        [.quickTime, .mp4, .mobile3GPP].contains(type)
    }

    package init() {}

    private init(_ exif: ByteWindow?, _ size: PixelSize?, xmp: ByteWindow? = nil) {
        let tiff = exif.flatMap(TIFFStructure.init)
        facts = MediaFacts(
            width: size?.width, height: size?.height, orientation: tiff?.orientation, location: tiff?.location,
            camera: tiff?.camera)
        clues = tiff?.clues ?? CaptureClues()
        add(xmp)
    }

    /// Adds the dates of an XMP packet behind those that are known.
    private mutating func add(_ xmp: ByteWindow?) {
        if let xmp { clues.dates += XMPDates.clues(in: xmp.array) }
    }

    /// Reads a HEIF file. Its orientation comes from its properties; the EXIF orientation repeats it and is ignored.
    private init(heif bytes: ByteWindow) {
        let properties = HEIFProperties(in: bytes)
        let tiff = HEIFStructure.exif(in: bytes).flatMap(TIFFStructure.init)
        facts = MediaFacts(
            width: properties?.size?.width, height: properties?.size?.height, orientation: properties?.orientation,
            location: tiff?.location, camera: tiff?.camera)
        clues = tiff?.clues ?? CaptureClues()
        add(HEIFStructure.xmp(in: bytes))
    }

    private init(tiff bytes: ByteWindow) {
        guard let tiff = TIFFStructure(bytes) else { return }
        let size = tiff.mainImage
        facts = MediaFacts(
            width: size?.width, height: size?.height, orientation: tiff.orientation, location: tiff.location,
            camera: tiff.camera)
        clues = tiff.clues
    }

    /// Returns the facts, with the date as far as the file alone determines it.
    /// - Parameter limit: The latest plausible capture date.
    func facts(until limit: Timestamp) -> MediaFacts {
        var facts = facts
        facts.taken = clues.date(until: limit)?.captureDate
        return facts
    }
}
