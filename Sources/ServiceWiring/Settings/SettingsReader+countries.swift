import AddressCountries

extension SettingsReader {
    /// Reads the file with the countries of addresses.
    mutating func countries() -> CountryDatabase? {
        guard let path = text(.geoIPFile) else { return nil }
        do throws(CountryDatabaseError) {
            return try CountryDatabase(path: path)
        } catch {
            report("geoip.file: \(path) \(error)")
            return nil
        }
    }
}
