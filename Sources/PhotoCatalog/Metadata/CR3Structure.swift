/// Reads what a Canon RAW file of version 3 says of itself: ISO base media with a box of Canon's in `moov`, which holds the
/// folders of an EXIF block as a TIFF structure each. `moov` stands at the beginning of the file.
enum CR3Structure {
    /// 85c0b687-820f-11e0-8111-f4ce462b6a48
    private static let name: [UInt8] = [
        0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
    ]

    static func reading(in bytes: ByteWindow) -> MediaReading {
        var reading = MediaReading()
        guard let movie = ISOBoxes(bytes).first("moov"),
            let canon = ISOBoxes(movie).first(where: { $0.kind == "uuid" && $0.payload.has(name) })?.payload,
            let boxes = canon.window(at: name.count, count: canon.count - name.count),
            let main = structure("CMT1", in: boxes)
        else { return reading }
        let size = main.mainImage
        let satellite = structure("CMT4", in: boxes)?.first
        reading.facts = MediaFacts(
            width: size?.width, height: size?.height, orientation: main.orientation, location: satellite?.location,
            camera: main.camera)
        reading.clues = CaptureClues(
            first: main.first, exif: structure("CMT2", in: boxes)?.first, satellite: satellite)
        return reading
    }

    private static func structure(_ kind: BoxKind, in boxes: ByteWindow) -> TIFFStructure? {
        ISOBoxes(boxes).first(kind).flatMap(TIFFStructure.init)
    }
}
