import Foundation
import PhotolalaTesting
import Testing
import Transport

@testable import ServiceWiring

/// The setting of the file with the countries of addresses.
@Suite struct CountrySettingsTests {
    /// A file of mmdb_writer 0.2.7: 9.0.0.0/8 is in the United States.
    private static let written = """
        AAABAAAIAAACAAAIAAADAAAIAAAEAAAIAAAIAAAFAAAGAAAIAAAHAAAIAAAIAAAxAAAAAAAAAAAAAAAAAAAAAEdjb3VudHJ5SGlzb19jb\
        2RlQlVT4SAIIBHhIAAgFKvN701heE1pbmQuY29t6Upub2RlX2NvdW50wQhLcmVjb3JkX3NpemWhGEppcF92ZXJzaW9uoQRNZGF0YWJhc2\
        VfdHlwZVBHZW9MaXRlMi1Db3VudHJ5SWxhbmd1YWdlcwEEQmVuW2JpbmFyeV9mb3JtYXRfbWFqb3JfdmVyc2lvbqECW2JpbmFyeV9mb3J\
        tYXRfbWlub3JfdmVyc2lvbqBLZGVzY3JpcHRpb27hQmVuSEdlb0lQIGRiS2J1aWxkX2Vwb2NoBAJrDKjN
        """

    @Test("without the setting no countries are determined")
    func off() throws {
        let settings = try SettingsFixture.read(flags: SettingsFixture.dev)
        #expect(settings.country == nil)
        #expect(SettingsReport(settings).description.contains(/geoip\.file +–/))
    }

    @Test("a file gives the countries of addresses, and the report names its kind")
    func read() throws {
        let folder = try TemporaryFolder()
        let bytes = try #require(Data(base64Encoded: Self.written))
        try folder.write("countries.mmdb", [UInt8](bytes))
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_GEOIP_FILE": folder.subpath("countries.mmdb")], flags: SettingsFixture.dev)
        let country = try #require(settings.country)
        #expect(country(try #require(IPAddress("9.9.9.9")))?.description == "US")
        #expect(country(try #require(IPAddress("10.9.9.9"))) == nil)
        #expect(SettingsReport(settings).description.contains(/geoip\.file +GeoLite2-Country/))
    }

    @Test("a file that is missing or of another format is a problem of the settings")
    func problems() throws {
        let path = NSTemporaryDirectory() + "countries-\(UUID())"
        try Data("<html>".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let variable = "PHOTOLALA_GEOIP_FILE"
        #expect(
            try SettingsFixture.problems([variable: path], flags: SettingsFixture.dev)
                == ["geoip.file: \(path) is not a MaxMind DB file"])
        #expect(
            try SettingsFixture.problems([variable: "/nonexistent/a.mmdb"], flags: SettingsFixture.dev)
                == ["geoip.file: /nonexistent/a.mmdb cannot be read"])
    }
}
