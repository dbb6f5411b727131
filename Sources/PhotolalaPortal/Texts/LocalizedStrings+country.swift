import Localization
import PhotolalaAPI
import PlaceNames

extension LocalizedStrings {
    /// Returns the name of a country.
    func country(_ code: CountryCode) -> String {
        PlaceTable.builtIn.name(ofCountry: code.description, in: language)
    }

    /// Returns the names of a place, the smallest area first, as one name in the order of the language.
    func place(_ names: some Sequence<String>) -> String {
        (PlaceLanguage(rawValue: language) ?? .en).joined(Array(names))
    }
}
