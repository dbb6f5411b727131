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
}
