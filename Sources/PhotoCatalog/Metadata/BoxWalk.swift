/// A walk over the boxes of a file of any length that reads only their headers, up to a total number of boxes.
struct BoxWalk {
    struct Box {
        let kind: BoxKind
        /// The range of the bytes after the header.
        let payload: Range<Int64>
    }

    let bytes: MediaBytes
    private var remainingBoxes = 1024

    init(_ bytes: MediaBytes) { self.bytes = bytes }

    /// Returns the consecutive boxes in a range, up to the first that exceeds it.
    mutating func boxes(in range: Range<Int64>) -> [Box] {
        var found: [Box] = []
        var offset = range.lowerBound
        while remainingBoxes > 0, range.upperBound - offset >= 8, let head = bytes.window(at: offset, count: 8),
            let short = head.uint32(at: 0, .big), let kind = head.uint32(at: 4, .big)
        {
            remainingBoxes -= 1
            var (start, length) = (offset + 8, Int64(short))
            if short == 0 { length = range.upperBound - offset }
            if short == 1 {
                guard let wide = bytes.window(at: offset + 8, count: 8), let high = wide.uint32(at: 0, .big),
                    let low = wide.uint32(at: 4, .big), high < 1 << 24
                else { break }
                (start, length) = (offset + 16, Int64(high) << 32 | Int64(low))
            }
            guard length >= start - offset, length <= range.upperBound - offset else { break }
            found.append(Box(kind: BoxKind(number: kind), payload: start..<offset + length))
            offset += length
        }
        return found
    }
}
