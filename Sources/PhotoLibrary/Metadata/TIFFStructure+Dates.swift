extension TIFFStructure {
    private enum Tag {
        static let make: UInt16 = 0x010f
        static let model: UInt16 = 0x0110
        static let dateTime: UInt16 = 0x0132
        static let satelliteFolder: UInt16 = 0x8825
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
    var clues: CaptureClues {
        let exif = exifFolder
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
        var clues = CaptureClues()
        for (clock, own) in read {
            let offset = own ?? read.first { $0.0.seconds == clock.seconds && $0.1 != nil }?.1
            clues.dates.append(offset.map { .dated(clock: clock, offset: $0) } ?? .clock(clock))
        }
        clues.satelliteTime = satelliteTime
        clues.camera = camera(exif)
        return clues
    }

    private var satelliteTime: Timestamp? {
        guard let folder = folder(Tag.satelliteFolder) else { return nil }
        return ExifDate.satelliteTime(day: folder.text(SatelliteTag.day), time: folder.fractions(SatelliteTag.time))
    }

    /// `nil` where the model is not told.
    private func camera(_ exif: TIFFFolder?) -> String? {
        guard let model = first.text(Tag.model) else { return nil }
        let parts = [first.text(Tag.make) ?? [], model, exif?.text(Tag.serialNumber) ?? []]
        return parts.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }.joined(separator: "\n")
    }
}
