/// The dates in an XMP packet: `exif:DateTimeOriginal`, `photoshop:DateCreated` and `xmp:CreateDate`, as attributes or
/// elements, with the prefixes that all programs use (XMP specification part 1, section 8.2.1.2).
///
/// The packet is searched for these names and not parsed as XML. It must be UTF-8; no dates are found in a UTF-16
/// packet.
package enum XMPDates {
    private static let names = ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"]
    /// The number of bytes of a packet that are searched.
    package static let limit = 1 << 20

    /// Returns the dates, in the order of the names. The running time depends only on the length.
    package static func clues(in packet: [UInt8]) -> [CaptureClues.Clue] {
        let packet = packet.prefix(limit)
        return names.compactMap { name in value(of: Array(name.utf8), in: packet).flatMap(clue) }
    }

    /// Returns the first value of a name that occurs as a whole word.
    private static func value(of name: [UInt8], in packet: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var index = packet.startIndex
        while let found = packet[index...].firstIndex(of: name[0]) {
            index = found + 1
            guard found > packet.startIndex, isBoundary(packet[found - 1]), packet[found...].starts(with: name) else {
                continue
            }
            if let value = value(in: packet[(found + name.count)...].prefix(80)) { return value }
        }
        return nil
    }

    private static func isBoundary(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || isSpace(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    /// Parses `="…"`, `='…'` or `>…<`.
    private static func value(in attributes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var remaining = attributes.drop(while: isSpace)
        let end: UInt8
        switch remaining.popFirst() {
        case UInt8(ascii: ">"): end = UInt8(ascii: "<")
        case UInt8(ascii: "="):
            remaining = remaining.drop(while: isSpace)
            guard let quote = remaining.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return nil
            }
            end = quote
        default: return nil
        }
        guard let close = remaining.firstIndex(of: end) else { return nil }
        return remaining[..<close].drop(while: isSpace)
    }

    /// Parses the XMP subset of ISO 8601: a day, or a day and a time with minutes, seconds or a fraction, with `Z`, an
    /// offset or neither. `Z` is a moment in UTC. A month or year alone is not a capture date.
    private static func clue(_ text: ArraySlice<UInt8>) -> CaptureClues.Clue? {
        let text = Array(text)
        // darktable writes the EXIF format.
        if let clock = ExifDate.clock(text) { return .clock(clock) }
        guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = Timestamp.number(text[0..<4]), let month = Timestamp.number(text[5..<7]),
            let day = Timestamp.number(text[8..<10])
        else { return nil }
        let isDay = text.count == 10 || text[10] != UInt8(ascii: "T")
        let (time, zone) = isDay ? ([], []) : split(text[11...])
        let parts = isDay ? [] : time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard isDay || (2...3).contains(parts.count) else { return nil }
        let numbers = parts.map { Timestamp.number($0.prefix(2)) ?? -1 }
        guard
            let clock = Timestamp(
                year: year, month: month, day: day, hour: numbers.first ?? 0,
                minute: numbers.count > 1 ? numbers[1] : 0, second: numbers.count > 2 ? numbers[2] : 0,
                nanoseconds: parts.count > 2 ? Timestamp.fraction(parts[2].dropFirst(3)) ?? 0 : 0)
        else { return nil }
        if zone.first == UInt8(ascii: "Z") { return .moment(clock) }
        let offset = ExifDate.offset(zone)
        return offset.map { .dated(clock: clock, offset: $0) } ?? .clock(clock)
    }

    /// Returns a time and its zone, which begins with `Z`, `+` or `-`.
    private static func split(_ text: ArraySlice<UInt8>) -> (time: [UInt8], zone: [UInt8]) {
        let zoneStart = text.firstIndex { [UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }
        guard let zoneStart else { return (Array(text), []) }
        return (Array(text[..<zoneStart]), Array(text[zoneStart...]))
    }
}
