extension Timestamp {
    /// Parses RFC 3339 (section 5.6): a date, `T`, a time, at most nine digits of fraction, and `Z` or an offset.
    /// Returns `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let timestamp = text.withUTF8({ Timestamp(utf8: $0) }) else { return nil }
        self = timestamp
    }

    /// Parses the text form from its bytes.
    init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard let read = Self.withOffset(utf8: bytes) else { return nil }
        self = read.moment
    }

    /// Parses the text form and returns its offset in minutes, which is `nil` for `Z`.
    static func withOffset(utf8 bytes: UnsafeBufferPointer<UInt8>) -> (moment: Timestamp, offset: Int?)? {
        guard (20...40).contains(bytes.count),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19])
        else { return nil }
        var remaining = bytes[19...]
        var nanoseconds = 0
        if remaining.first == UInt8(ascii: ".") {
            let digits = remaining.dropFirst().prefix { Self.digit($0) != nil }
            guard let value = Self.fraction(digits) else { return nil }
            nanoseconds = value
            remaining = remaining.dropFirst(1 + digits.count)
        }
        guard let offset = Self.offset(remaining) else { return nil }
        let moment = Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanoseconds: nanoseconds,
            offsetMinutes: offset
        )
        return moment.map { ($0, remaining.count == 1 ? nil : offset) }
    }

    /// Parses `Z`, or `+hh:mm` and `-hh:mm`, into minutes.
    static func offset(_ bytes: some BidirectionalCollection<UInt8>) -> Int? {
        if bytes.count == 1, bytes.first == UInt8(ascii: "Z") { return 0 }
        let bytes = Array(bytes)
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
            let minutes = number(bytes[4..<6]), hours <= 23, minutes <= 59
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// Parses one to nine fractional digits into nanoseconds.
    static func fraction(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), let value = number(digits) else { return nil }
        return (digits.count..<9).reduce(value) { value, _ in value * 10 }
    }

    /// Parses one to nine digits and nothing else, so that the number cannot overflow.
    static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var value = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
