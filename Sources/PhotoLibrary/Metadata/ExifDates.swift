import NIOCore

/// Reads the date a picture was taken from a TIFF structure (TIFF 6.0 section 2, Exif 2.32 section 4.6).
enum ExifDates {
    private enum Tag {
        static let dateTime: UInt16 = 0x0132
        static let exifFolder: UInt16 = 0x8769
        static let dateTimeOriginal: UInt16 = 0x9003
        static let dateTimeDigitized: UInt16 = 0x9004
        static let offsetTimeOriginal: UInt16 = 0x9011
        static let offsetTimeDigitized: UInt16 = 0x9012
        static let subSecondsOriginal: UInt16 = 0x9291
        static let subSecondsDigitized: UInt16 = 0x9292
    }

    /// DateTimeOriginal, else DateTimeDigitized, else the first folder's DateTime.
    static func taken(in bytes: ByteWindow) -> Timestamp? {
        let order: Endianness = bytes.has("MM") ? .big : .little
        guard bytes.has("II") || bytes.has("MM"), let first = bytes.uint32(at: 4, order) else { return nil }
        let main = folder(at: Int(first), in: bytes, order)
        let exif = main[Tag.exifFolder].flatMap { $0.number }.map { folder(at: $0, in: bytes, order) } ?? [:]
        return date(
            exif[Tag.dateTimeOriginal], exif[Tag.subSecondsOriginal], exif[Tag.offsetTimeOriginal]
        )
            ?? date(exif[Tag.dateTimeDigitized], exif[Tag.subSecondsDigitized], exif[Tag.offsetTimeDigitized])
            ?? date(main[Tag.dateTime], nil, nil)
    }

    private struct Field {
        let text: [UInt8]?
        let number: Int?
    }

    /// One folder of fields: texts of up to 64 bytes and single long numbers. Chained folders are not followed, so a
    /// loop cannot be entered.
    private static func folder(at start: Int, in bytes: ByteWindow, _ order: Endianness) -> [UInt16: Field] {
        var fields: [UInt16: Field] = [:]
        guard let count = bytes.uint16(at: start, order) else { return fields }
        for index in 0..<min(Int(count), 512) {
            let entry = start + 2 + index * 12
            guard let tag = bytes.uint16(at: entry, order), let type = bytes.uint16(at: entry + 2, order),
                let length = bytes.uint32(at: entry + 4, order), let value = bytes.uint32(at: entry + 8, order)
            else { break }
            switch type {
            case 2 where length <= 64:
                let place = length <= 4 ? entry + 8 : Int(value)
                let text = bytes.text(at: place, count: Int(length)).map { $0.unicodeScalars.map { UInt8($0.value) } }
                fields[tag] = Field(text: text, number: nil)
            case 4 where length == 1, 13 where length == 1: fields[tag] = Field(text: nil, number: Int(value))
            default: continue
            }
        }
        return fields
    }

    /// `YYYY:MM:DD hh:mm:ss` with a fraction's digits and `+hh:mm`, both left out where they are not understood.
    private static func date(_ field: Field?, _ fraction: Field?, _ offset: Field?) -> Timestamp? {
        guard let text = field?.text, text.count >= 19 else { return nil }
        let separators =
            text[4] == UInt8(ascii: ":") && text[7] == UInt8(ascii: ":") && text[13] == UInt8(ascii: ":")
            && text[16] == UInt8(ascii: ":") && text[10] == UInt8(ascii: " ")
        guard separators, let year = Timestamp.number(text[0..<4]), let month = Timestamp.number(text[5..<7]),
            let day = Timestamp.number(text[8..<10]), let hour = Timestamp.number(text[11..<13]),
            let minute = Timestamp.number(text[14..<16]), let second = Timestamp.number(text[17..<19])
        else { return nil }
        let digits = fraction?.text?.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: digits.flatMap { Timestamp.fraction($0) } ?? 0,
            offsetMinutes: offset?.text.flatMap { Timestamp.offset($0.prefix(6)) } ?? 0
        )
    }
}
