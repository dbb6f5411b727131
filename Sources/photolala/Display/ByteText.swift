/// Formats byte counts in decimal units: `999 B`, `1.5 MB`, `20 GB`.
enum ByteText {
    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    static func text(_ bytes: Int64) -> String {
        var value = Double(max(0, bytes))
        var unit = 0
        // Rounding may reach the next unit: 999.96 kB is 1.0 MB.
        while unit < units.count - 1, rounded(value, unit) >= 1000 {
            value /= 1000
            unit += 1
        }
        let shown = rounded(value, unit)
        let isWhole = unit == 0 || shown >= 100 || shown == shown.rounded()
        return isWhole ? "\(Int64(shown)) \(units[unit])" : "\(shown) \(units[unit])"
    }

    /// Rounds to one decimal place below 100, and to an integer otherwise.
    private static func rounded(_ value: Double, _ unit: Int) -> Double {
        unit == 0 || value >= 100 ? value.rounded() : (value * 10).rounded() / 10
    }
}
