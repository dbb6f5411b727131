/// Parses dates in EXIF format (Exif 2.32 sections 4.6.5 and 4.6.6).
enum ExifDate {
    /// Parses `YYYY:MM:DD hh:mm:ss` and the digits of a fraction, which are ignored if invalid.
    static func clock(_ text: [UInt8]?, fraction: [UInt8]? = nil) -> Timestamp? {
        guard let text, text.count >= 19 else { return nil }
        let separators =
            text[4] == UInt8(ascii: ":") && text[7] == UInt8(ascii: ":") && text[13] == UInt8(ascii: ":")
            && text[16] == UInt8(ascii: ":") && text[10] == UInt8(ascii: " ")
        guard separators, let year = Timestamp.number(text[0..<4]), let month = Timestamp.number(text[5..<7]),
            let day = Timestamp.number(text[8..<10]), let hour = Timestamp.number(text[11..<13]),
            let minute = Timestamp.number(text[14..<16]), let second = Timestamp.number(text[17..<19])
        else { return nil }
        let digits = fraction?.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: digits.flatMap { Timestamp.fraction($0) } ?? 0
        )
    }

    /// Parses `+hh:mm` into minutes; returns `nil` if it is not an offset in use.
    static func offset(_ text: [UInt8]?) -> Int? {
        let offset = text.flatMap { Timestamp.offset($0.prefix(6)) }
        return offset.flatMap { CaptureClues.offsets.contains($0) ? $0 : nil }
    }

    /// Parses GPS time: `YYYY:MM:DD`, and hours, minutes and seconds as fractions.
    static func gpsTime(day: [UInt8]?, time: [(Int, Int)]) -> Timestamp? {
        guard let day, day.count >= 10, day[4] == UInt8(ascii: ":"), day[7] == UInt8(ascii: ":"), time.count == 3,
            time.allSatisfy({ $0.1 > 0 }), let year = Timestamp.number(day[0..<4]),
            let month = Timestamp.number(day[5..<7]), let date = Timestamp.number(day[8..<10])
        else { return nil }
        let parts = time.map { $0.0 / $0.1 }
        return Timestamp(year: year, month: month, day: date, hour: parts[0], minute: parts[1], second: parts[2])
    }
}
