/// A place on earth (WGS 84), in steps of 1e-7 degrees, about a centimeter.
package struct GeoLocation: Sendable, Hashable, Comparable {
    private static let stepsPerDegree: Int64 = 10_000_000
    private static let decimals = 7

    /// Steps north of the equator, within 90 degrees.
    let latitudeSteps: Int32
    /// Steps east of Greenwich, within 180 degrees.
    let longitudeSteps: Int32

    /// Returns `nil` outside of the range, and for 0 and 0, which cameras without a position write.
    init?(latitudeSteps: Int64, longitudeSteps: Int64) {
        guard abs(latitudeSteps) <= 90 * Self.stepsPerDegree, abs(longitudeSteps) <= 180 * Self.stepsPerDegree,
            latitudeSteps != 0 || longitudeSteps != 0
        else { return nil }
        (self.latitudeSteps, self.longitudeSteps) = (Int32(latitudeSteps), Int32(longitudeSteps))
    }

    /// Returns the nearest location; `nil` outside of the range, and for 0 and 0.
    package init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        let steps = [latitude, longitude].map { Int64(($0 * Double(Self.stepsPerDegree)).rounded()) }
        self.init(latitudeSteps: steps[0], longitudeSteps: steps[1])
    }

    package var latitude: Double { Double(latitudeSteps) / Double(Self.stepsPerDegree) }
    package var longitude: Double { Double(longitudeSteps) / Double(Self.stepsPerDegree) }

    package static func < (left: GeoLocation, right: GeoLocation) -> Bool {
        (left.latitudeSteps, left.longitudeSteps) < (right.latitudeSteps, right.longitudeSteps)
    }
}

extension GeoLocation {
    /// Parses two numbers of degrees; `nil` if one is invalid.
    init?(latitude: some Collection<UInt8>, longitude: some Collection<UInt8>) {
        guard let north = Self.steps(latitude), let east = Self.steps(longitude) else { return nil }
        self.init(latitudeSteps: north, longitudeSteps: east)
    }

    /// Parses two numbers of degrees that are separated by a space.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(latitude: parts[0], longitude: parts[1])
    }

    /// The text form, such as `35.6895 139.6917`.
    package var text: String {
        var bytes: [UInt8] = []
        writeLatitude(to: &bytes)
        bytes.append(UInt8(ascii: " "))
        writeLongitude(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the number of degrees, without zeros at its end.
    package func writeLatitude(to text: inout [UInt8]) { Self.write(latitudeSteps, to: &text) }
    package func writeLongitude(to text: inout [UInt8]) { Self.write(longitudeSteps, to: &text) }

    /// Parses a number with at most three digits before a dot and seven after it, such as `-33.8568`.
    private static func steps(_ text: some Collection<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...3).contains(whole.count), let degrees = UInt64(decimal: whole) else {
            return nil
        }
        var fraction: UInt64 = 0
        if parts.count == 2 {
            guard (1...decimals).contains(parts[1].count), let digits = UInt64(decimal: parts[1]) else { return nil }
            fraction = (parts[1].count..<decimals).reduce(digits) { value, _ in value * 10 }
        }
        let steps = Int64(degrees) * stepsPerDegree + Int64(fraction)
        return isNegative ? -steps : steps
    }

    private static func write(_ steps: Int32, to text: inout [UInt8]) {
        let value = Int64(steps).magnitude
        if steps < 0 { text.append(UInt8(ascii: "-")) }
        let (degrees, fraction) = value.quotientAndRemainder(dividingBy: stepsPerDegree.magnitude)
        text.append(decimal: degrees)
        guard fraction > 0 else { return }
        text.append(UInt8(ascii: "."))
        var digits: [UInt8] = []
        digits.append(decimal: stepsPerDegree.magnitude + fraction)
        // The first digit is that of the added number, which keeps the zeros in front.
        var shown = digits.dropFirst()
        while shown.last == UInt8(ascii: "0") { shown.removeLast() }
        text += shown
    }
}
