/// Identifies a city by the location of its center, which outlasts a version of the table of cities.
package struct PlaceID: Sendable, Hashable, CustomStringConvertible {
    /// Thousandths of a degree.
    package let latitude: Int32
    package let longitude: Int32

    init?(latitude: Int, longitude: Int) {
        guard abs(latitude) <= 90_000, abs(longitude) <= 180_000 else { return nil }
        (self.latitude, self.longitude) = (Int32(latitude), Int32(longitude))
    }

    /// Parses the text form.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            let isNegative = part.first == UInt8(ascii: "-")
            let digits = part.dropFirst(isNegative ? 1 : 0)
            guard digits.count <= 6, let number = UInt64(decimal: digits) else { return nil }
            numbers.append(isNegative ? -Int(number) : Int(number))
        }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }

    /// The numbers, such as `48137_11575`.
    package var description: String { "\(latitude)_\(longitude)" }
}
