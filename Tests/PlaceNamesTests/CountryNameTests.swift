import PhotolalaTesting
import PlaceNames
import Testing

/// The names of countries by their codes.
@Suite struct CountryNameTests {
    @Test(
        "a country has its name in the language, and the English one in other languages",
        arguments: [
            ("en", "Germany"), ("de", "Deutschland"), ("es", "Alemania"), ("ja", "ドイツ"), ("ko", "독일"),
            ("fr", "Germany"),
        ])
    func languages(_ language: String, _ name: String) {
        #expect(PlaceTable.builtIn.name(ofCountry: "DE", in: language) == name)
    }

    @Test("a country without cities is named by its code", arguments: ["AQ", "XX"])
    func unknown(_ code: String) throws {
        #expect(try SmallTable.table().name(ofCountry: code, in: "de") == code)
        #expect(try SmallTable.table().name(ofCountry: "NO", in: "de") == "Norwegen")
    }
}
