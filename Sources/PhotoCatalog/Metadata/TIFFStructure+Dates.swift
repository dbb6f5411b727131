extension TIFFStructure {
    /// The dates of its folders.
    var clues: CaptureClues { CaptureClues(first: first, exif: exifDirectory, satellite: directory(0x8825)) }
}

extension CaptureClues {
    private enum Tag {
        static let make: UInt16 = 0x010f
        static let model: UInt16 = 0x0110
        static let dateTime: UInt16 = 0x0132
        static let dateTimeOriginal: UInt16 = 0x9003
        static let dateTimeDigitized: UInt16 = 0x9004
        static let offsetTime: UInt16 = 0x9010
        static let offsetTimeOriginal: UInt16 = 0x9011
        static let offsetTimeDigitized: UInt16 = 0x9012
        static let subSeconds: UInt16 = 0x9290
        static let subSecondsOriginal: UInt16 = 0x9291
        static let subSecondsDigitized: UInt16 = 0x9292
        static let serialNumber: UInt16 = 0xa431
    }

    private enum SatelliteTag {
        static let time: UInt16 = 0x0007
        static let day: UInt16 = 0x001d
    }

    /// DateTimeOriginal, DateTimeDigitized and the first folder's DateTime, in this order, each with its offset. A field
    /// without an offset has that of another one only where both show the same time: editing may have changed the other.
    /// - Parameters:
    ///   - first: the folder with the camera's name.
    ///   - exif: the folder with what the camera says of the photo.
    ///   - satellite: the folder with satellite time.
    init(first: TIFFDirectory, exif: TIFFDirectory?, satellite: TIFFDirectory?) {
        let fields: [(clock: Timestamp?, offset: [UInt8]?)] = [
            (
                ExifDate.clock(exif?.text(Tag.dateTimeOriginal), fraction: exif?.text(Tag.subSecondsOriginal)),
                exif?.text(Tag.offsetTimeOriginal)
            ),
            (
                ExifDate.clock(exif?.text(Tag.dateTimeDigitized), fraction: exif?.text(Tag.subSecondsDigitized)),
                exif?.text(Tag.offsetTimeDigitized)
            ),
            (
                ExifDate.clock(first.text(Tag.dateTime), fraction: exif?.text(Tag.subSeconds)),
                exif?.text(Tag.offsetTime)
            ),
        ]
        let read = fields.compactMap { field in field.clock.map { ($0, ExifDate.offset(field.offset)) } }
        for (clock, own) in read {
            let offset = own ?? read.first { $0.0.seconds == clock.seconds && $0.1 != nil }?.1
            dates.append(offset.map { .dated(clock: clock, offset: $0) } ?? .clock(clock))
        }
        satelliteTime = satellite.flatMap {
            ExifDate.gpsTime(day: $0.text(SatelliteTag.day), time: $0.fractions(SatelliteTag.time))
        }
        camera = Self.camera(first, exif)
    }

    /// `nil` where the model is not told.
    private static func camera(_ first: TIFFDirectory, _ exif: TIFFDirectory?) -> String? {
        guard let model = first.text(Tag.model) else { return nil }
        let parts = [first.text(Tag.make) ?? [], model, exif?.text(Tag.serialNumber) ?? []]
        return parts.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }.joined(separator: "\n")
    }
}
