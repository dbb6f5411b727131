/// When a photo was taken: a moment, and how far the clock at that place was ahead of UTC.
package struct CaptureDate: Hashable, Sendable {
    /// In UTC. Where the offset is unknown: what the photo's clock showed, or UTC if that is all it says.
    package let moment: Timestamp
    /// Minutes ahead of UTC, -1439 to 1439; `nil` where it is unknown.
    package let offset: Int?

    /// 1826-01-01 to 2199-12-31 in UTC: no photo is older, and no clock that far ahead is right.
    private static let possible: Range<Int64> = -4_544_208_000..<7_258_118_400

    /// Returns `nil` for a moment outside of 1826 to 2199, and for an offset that RFC 3339 cannot write.
    package init?(_ moment: Timestamp, offset: Int? = nil) {
        guard Self.possible.contains(moment.seconds), (-1439...1439).contains(offset ?? 0) else { return nil }
        (self.moment, self.offset) = (moment, offset)
    }

    /// Returns `nil` for the same, by what the clock at the place showed.
    package init?(clock: Timestamp, offset: Int) {
        let seconds = clock.seconds - Int64(offset) * 60
        self.init(Timestamp(seconds: seconds, nanoseconds: Int64(clock.nanoseconds)), offset: offset)
    }

    /// What the clock at the place showed, as if it were UTC. Without an offset it is `moment`.
    package var clock: Timestamp {
        guard let offset else { return moment }
        return Timestamp(seconds: moment.seconds + Int64(offset) * 60, nanoseconds: Int64(moment.nanoseconds))
    }

    /// Whether a merge keeps this one: a known offset wins, then the later moment, then the larger offset.
    func wins(over other: CaptureDate) -> Bool {
        guard (offset == nil) == (other.offset == nil) else { return offset != nil }
        return moment == other.moment ? (offset ?? 0) > (other.offset ?? 0) : moment > other.moment
    }
}

extension CaptureDate: CustomStringConvertible {
    /// RFC 3339 with the offset, or with `Z` where that is unknown (RFC 9557 section 2.2). `+00:00` is a known offset.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the same text.
    func write(to text: inout [UInt8]) {
        clock.write(to: &text)
        guard let offset else { return }
        text.removeLast()
        text.append(contentsOf: Self.text(of: offset).utf8)
    }

    /// An offset as `+09:00`.
    package static func text(of offset: Int) -> String {
        let (hours, minutes) = (abs(offset) / 60, abs(offset) % 60)
        return "\(offset < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// Reads the same text; `nil` for any other, and for a date that `init(_:offset:)` refuses.
    init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ Timestamp.withOffset(utf8: $0) }) else { return nil }
        self.init(read.moment, offset: read.offset)
    }
}
