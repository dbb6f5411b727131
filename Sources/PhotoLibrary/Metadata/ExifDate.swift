/// A date as EXIF spells it (Exif 2.32 section 4.6.5).
enum ExifDate {
    /// `YYYY:MM:DD hh:mm:ss` with a fraction's digits and `+hh:mm`, both left out where they are not understood.
    static func read(_ text: [UInt8]?, _ fraction: [UInt8]?, _ offset: [UInt8]?) -> Timestamp? {
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
            nanoseconds: digits.flatMap { Timestamp.fraction($0) } ?? 0,
            offsetMinutes: offset.flatMap { Timestamp.offset($0.prefix(6)) } ?? 0
        )
    }
}
