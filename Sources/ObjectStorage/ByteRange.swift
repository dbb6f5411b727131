/// A range of an object as defined by RFC 9110 section 14.1.2; it is truncated at the object's end.
package enum ByteRange: Sendable, Equatable {
    /// From the first offset to the last, both inclusive.
    case closed(first: Int64, last: Int64)
    /// From the offset to the end.
    case from(Int64)
    /// The last bytes of the object, by their number.
    case suffix(Int64)

    /// Returns the offsets of a range in an object of `size` bytes; `nil` if the range is not satisfiable.
    package static func resolve(_ range: ByteRange?, size: Int64) -> Range<Int64>? {
        switch range {
        case nil: 0..<size
        case .closed(let first, let last):
            first >= 0 && first < size && first <= last ? first..<(last >= size ? size : last + 1) : nil
        case .from(let first): first >= 0 && first < size ? first..<size : nil
        case .suffix(let count): count > 0 && size > 0 ? max(0, size - count)..<size : nil
        }
    }

    /// Parses a `Range` header. Returns `nil` for anything but a single byte range, which RFC 9110 section 14.2 allows a
    /// server to ignore.
    package init?(header text: String) {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, false):
            guard let count = Self.number(parts[1]) else { return nil }
            self = .suffix(count)
        case (false, true):
            guard let first = Self.number(parts[0]) else { return nil }
            self = .from(first)
        case (false, false):
            guard let first = Self.number(parts[0]), let last = Self.number(parts[1]), first <= last else {
                return nil
            }
            self = .closed(first: first, last: last)
        case (true, true): return nil
        }
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        // More digits than a size can have: beyond the end of every object.
        return Int64(digits) ?? (digits.isEmpty ? nil : Int64.max - 1)
    }
}
