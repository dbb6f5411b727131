/// The reason why a table of places is unusable.
package enum PlaceTableError: Error, Equatable, Sendable {
    /// The compressed data is damaged.
    case damaged
    /// A line, from 1, is not of the format.
    case malformed(line: Int)
}
