import Foundation
import PhotolalaAPI

/// Formats countries.
enum CountryText {
    private static let names = Locale(identifier: "en")

    /// Returns the English name, or the code if it has none.
    static func name(_ country: CountryCode) -> String {
        names.localizedString(forRegionCode: country.description) ?? country.description
    }
}
