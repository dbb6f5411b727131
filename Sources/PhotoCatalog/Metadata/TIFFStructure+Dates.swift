extension TIFFStructure {
    /// The dates of its folders.
    var clues: CaptureClues { CaptureClues(first: first, exif: exifDirectory, satellite: satelliteDirectory) }

    var location: GeoLocation? { satelliteDirectory?.location }
    private var satelliteDirectory: TIFFDirectory? { directory(0x8825) }

    var camera: CameraName? {
        CameraName(make: first.text(CaptureClues.Tag.make), model: first.text(CaptureClues.Tag.model))
    }
}

extension TIFFDirectory {
    private enum PlaceTag {
        static let northOrSouth: UInt16 = 0x0001
        static let latitude: UInt16 = 0x0002
        static let eastOrWest: UInt16 = 0x0003
        static let longitude: UInt16 = 0x0004
    }

    /// The place in a GPS directory (Exif 2.32 section 4.6.6).
    var location: GeoLocation? {
        guard let north = degrees(PlaceTag.latitude, PlaceTag.northOrSouth, "NS"),
            let east = degrees(PlaceTag.longitude, PlaceTag.eastOrWest, "EW")
        else { return nil }
        return GeoLocation(latitude: north, longitude: east)
    }

    /// Returns degrees, minutes and seconds as one number, negative for the second direction.
    private func degrees(_ tag: UInt16, _ direction: UInt16, _ directions: String) -> Double? {
        let parts = fractions(tag)
        guard parts.count == 3, parts.allSatisfy({ $0.1 > 0 }), let sign = text(direction)?.first,
            let index = Array(directions.utf8).firstIndex(of: sign)
        else { return nil }
        let units = parts.map { Double($0.0) / Double($0.1) }
        return (units[0] + units[1] / 60 + units[2] / 3600) * (index == 0 ? 1 : -1)
    }
}

extension CaptureClues {
    fileprivate enum Tag {
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
