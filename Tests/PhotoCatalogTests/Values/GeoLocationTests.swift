import Testing

@testable import PhotoCatalog

struct GeoLocationTests {
    @Test(
        "a text is read as it was written",
        arguments: [
            "35.6895 139.6917", "-33.8567844 151.2152967", "90 180", "-90 -180", "0 -0.0000001", "0.5 0",
            "7.0500001 -0.1",
        ])
    func texts(text: String) throws {
        let location = try #require(GeoLocation(text))
        #expect(location.text == text)
        #expect(GeoLocation(latitude: location.latitude, longitude: location.longitude) == location)
    }

    @Test("zeros at the end are not written")
    func canonical() {
        #expect(GeoLocation("35.6890000 139.0")?.text == "35.689 139")
        #expect(GeoLocation(latitude: 1.00000004, longitude: 2.00000006)?.text == "1 2.0000001")
    }

    @Test(
        "other texts, and values out of range, are no location",
        arguments: [
            "", " ", "1", "1 2 3", "1  2", "90.0000001 0", "0 180.0000001", "0 -181", "0 0", "-0 0.0", "+1 2", "1e1 2",
            "1. 2", ".5 2", "--1 2", "- 2", "1.12345678 2", "0001 2", "nan 1", "1,5 2",
        ])
    func refused(text: String) { #expect(GeoLocation(text) == nil) }

    @Test("numbers out of range, and 0 and 0, are no location")
    func numbers() {
        for (latitude, longitude) in [
            (90.1, 0), (-91, 0), (0, 180.5), (.nan, 1), (1, .nan), (.infinity, 1), (1, -.infinity), (0, 0),
            (0.00000001, 0),
        ] { #expect(GeoLocation(latitude: latitude, longitude: longitude) == nil) }
    }
}
