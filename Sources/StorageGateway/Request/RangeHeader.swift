import ObjectStorage

/// Parses `Range` and `x-amz-copy-source-range`.
enum RangeHeader {
    /// Returns `nil` for anything but a single byte range, which RFC 9110 section 14.2 allows a server to ignore.
    static func parse(_ text: String) -> ByteRange? {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, false): return number(parts[1]).map { .suffix($0) }
        case (false, true): return number(parts[0]).map { .from($0) }
        case (false, false):
            guard let first = number(parts[0]), let last = number(parts[1]), first <= last else { return nil }
            return .closed(first: first, last: last)
        case (true, true): return nil
        }
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        // More digits than a size can have: beyond the end of every object.
        return Int64(digits) ?? (digits.isEmpty ? nil : Int64.max - 1)
    }
}
