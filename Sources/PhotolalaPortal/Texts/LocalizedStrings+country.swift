import Localization
import PhotolalaAPI
import PlaceNames

extension LocalizedStrings {
    /// Returns the name of a country.
    func country(_ code: CountryCode) -> String {
        PlaceTable.builtIn.name(ofCountry: code.description, in: language)
    }
}
