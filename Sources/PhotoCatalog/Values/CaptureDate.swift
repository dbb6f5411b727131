/// When a photo was taken: a moment, and the UTC offset of the local time.
package struct CaptureDate: Hashable, Sendable {
    /// The moment in UTC. If the offset is unknown: the local time as if it were UTC, or UTC if the photo records only
    /// that.
    package let moment: Timestamp
    /// Minutes ahead of UTC, -1439 to 1439; `nil` if unknown.
    package let offset: Int?

    /// 1826-01-01 to 2199-12-31 in UTC: no photo is older, and a later date comes from a wrong clock.
    private static let possible: Range<Int64> = -4_544_208_000..<7_258_118_400

    /// Returns `nil` for a moment outside of 1826 to 2199, and for an offset that RFC 3339 cannot represent.
    package init?(_ moment: Timestamp, offset: Int? = nil) {
        guard Self.possible.contains(moment.seconds), (-1439...1439).contains(offset ?? 0) else { return nil }
        (self.moment, self.offset) = (moment, offset)
    }

    /// Creates a date from a local time and its offset. Returns `nil` in the same cases as `init(_:offset:)`.
    package init?(clock: Timestamp, offset: Int) {
        let seconds = clock.seconds - Int64(offset) * 60
        self.init(Timestamp(seconds: seconds, nanoseconds: Int64(clock.nanoseconds)), offset: offset)
    }

    /// The local time, as if it were UTC. Without an offset it is `moment`.
    package var clock: Timestamp {
        guard let offset else { return moment }
        return Timestamp(seconds: moment.seconds + Int64(offset) * 60, nanoseconds: Int64(moment.nanoseconds))
    }

    /// Returns whether this date has precedence in a merge: a known offset wins, then the later moment, then the larger
    /// offset.
    func wins(over other: CaptureDate) -> Bool {
        guard (offset == nil) == (other.offset == nil) else { return offset != nil }
        return moment == other.moment ? (offset ?? 0) > (other.offset ?? 0) : moment > other.moment
    }
}

extension CaptureDate: CustomStringConvertible {
    /// RFC 3339 with the offset, or with `Z` if that is unknown (RFC 9557 section 2.2). `+00:00` is a known offset.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text form.
    func write(to text: inout [UInt8]) {
        clock.write(to: &text)
        guard let offset else { return }
        text.removeLast()
        text.append(contentsOf: Self.text(of: offset).utf8)
    }

    /// Returns an offset as `+09:00`.
    package static func text(of offset: Int) -> String {
        let (hours, minutes) = (abs(offset) / 60, abs(offset) % 60)
        return "\(offset < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// Parses the text form; returns `nil` if it is malformed, or if `init(_:offset:)` refuses the date.
    package init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ Timestamp.withOffset(utf8: $0) }) else { return nil }
        self.init(read.moment, offset: read.offset)
    }
}
