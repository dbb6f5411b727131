import AddressCountries
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

/// The countries of addresses in files of the MaxMind DB format.
@Suite struct CountryDatabaseTests {
    private typealias Value = DatabaseFile.Value

    private static let germany: [(prefix: UInt128, length: Int)] = [
        (0x0102_0300, 96 + 24), (0x2a00_0001 << 96, 32),
    ]
    private static let japan: [(prefix: UInt128, length: Int)] = [
        (0x0102_0400, 96 + 32), (0x2001_0200 << 96, 23),
    ]

    private static func countries(_ file: DatabaseFile, _ addresses: [String]) throws -> [String?] {
        let database = try CountryDatabase(file.bytes)
        return try addresses.map { address in
            database.country(of: try #require(IPAddress(address)))?.description
        }
    }

    @Test("a network of each version has its country, with branches of each size", arguments: [24, 28, 32])
    func networks(recordSize: Int) throws {
        let file = DatabaseFile(
            recordSize: recordSize,
            records: [
                (DatabaseFile.country("DE"), Self.germany), (DatabaseFile.country("JP"), Self.japan),
            ])
        let found = try Self.countries(
            file,
            [
                "1.2.3.0", "1.2.3.255", "1.2.4.0", "1.2.4.1", "1.2.2.255", "::ffff:1.2.3.4", "2a00:1::",
                "2a00:1:ffff::1",
                "2a00:2::", "2001:200::", "2001:3ff:ffff::", "2001:400::", "127.0.0.1", "::1",
            ])
        #expect(
            found == ["DE", "DE", "JP", nil, nil, "DE", "DE", "DE", nil, "JP", "JP", nil, nil, nil])
    }

    @Test("a file of IPv4 addresses has no countries of IPv6 addresses")
    func version4() throws {
        let file = DatabaseFile(
            addressVersion: 4, records: [(DatabaseFile.country("FR"), [(0x0102_0000, 16)])])
        #expect(try Self.countries(file, ["1.2.255.1", "1.3.0.0", "102::"]) == ["FR", nil, nil])
    }

    @Test("the country is found in the records of each publisher")
    func records() throws {
        let values: [(Value, String?)] = [
            (
                .map([
                    ("continent", .map([("names", .map([("de", .text(String(repeating: "x", count: 400)))]))])),
                    ("list", .array([.number(1), .map([("country", .text("XX"))])])), ("text", .text("country")),
                    ("country", .map([("geoname_id", .number(7)), ("iso_code", .text("DE"))])),
                    ("registered_country", .map([("iso_code", .text("US"))])),
                ]), "DE"
            ),
            (.map([("country", .text("Germany")), ("country_code", .text("DE"))]), "DE"),
            (.map([("country", .text("DE")), ("country_name", .text("Germany"))]), "DE"),
            (.map([("country", .map([("iso_code", .text("de"))]))]), nil),
            (.map([("country_code", .text("ZZ"))]), nil), (.map([("country_code", .text("DEU"))]), nil),
            (.map([("registered_country", .map([("iso_code", .text("US"))]))]), nil), (.text("DE"), nil),
            (.map([("country", .number(9)), ("country_code", .number(9))]), nil),
        ]
        let records = values.enumerated().map { (value: $1.0, networks: [(UInt128($0) << 120 | 1 << 125, 8)]) }
        let file = DatabaseFile(records: records)
        #expect(try Self.countries(file, values.indices.map { "2\($0)00::" }) == values.map(\.1))
    }

    @Test("pointers are followed once, and a pointer to a pointer names no country")
    func pointers() throws {
        // Text at 0, a map at 3, a pointer to it at 20, and records with pointers to them.
        let text = Value.text("DE").encoded
        let map = Value.map([("iso_code", .pointer(0))]).encoded
        let data = Value.bytes(text + map + Value.pointer(3).encoded)
        let size = data.encoded.count
        #expect(text.count == 3 && size == 3 + map.count + 5)
        let file = DatabaseFile(records: [
            (data, []), (.map([("country", .pointer(3))]), [(0x0100_0000, 96 + 8)]),
            (.map([("country", .pointer(size - 5))]), [(0x0200_0000, 96 + 8)]),
            (.map([("country", .pointer(100_000))]), [(0x0300_0000, 96 + 8)]),
        ])
        #expect(try Self.countries(file, ["1.0.0.1", "2.0.0.1", "3.0.0.1"]) == ["DE", nil, nil])
    }

    @Test("a file of the package mmdb_writer is read as the package maxminddb reads it")
    func otherWriter() throws {
        let database = try CountryDatabase([UInt8](try #require(Data(base64Encoded: Self.written))))
        let expected: [(String, String?)] = [
            ("81.2.69.142", "GB"), ("81.2.70.0", nil), ("9.9.9.9", "US"), ("2a02:2e0:3fe:1001::", "DE"),
            ("2a02:2e1::", nil),
        ]
        for (address, country) in expected {
            #expect(database.country(of: try #require(IPAddress(address)))?.description == country, "\(address)")
        }
        #expect(database.kind == "DBIP-Country-Lite")
    }

    /// Three networks, written by mmdb_writer 0.2.7.
    private static let written = """
        AAABAACbAAACAACbAAADAAB+AAAEAACbAAAFAACbAAAGAACbAAAHAACbAAAIAACbAAAJAACbAAAKAACbAAALAACbAAAMAACbAAANAACbA\
        AAOAACbAAAPAACbAAAQAACbAAARAACbAAASAACbAAATAACbAAAUAACbAAAVAACbAAAWAACbAAAXAACbAAAYAACbAAAZAACbAAAaAACbAA\
        AbAACbAAAcAACbAAAdAACbAAAeAACbAAAfAACbAAAgAACbAAAhAACbAAAiAACbAAAjAACbAAAkAACbAAAlAACbAAAmAACbAAAnAACbAAA\
        oAACbAAApAACbAAAqAACbAAArAACbAAAsAACbAAAtAACbAAAuAACbAAAvAACbAAAwAACbAAAxAACbAAAyAACbAAAzAACbAAA0AACbAAA1\
        AACbAAA2AACbAAA3AACbAAA4AACbAAA5AACbAAA6AACbAAA7AACbAAA8AACbAAA9AACbAAA+AACbAAA/AACbAABAAACbAABBAACbAABCA\
        ACbAABDAACbAABEAACbAABFAACbAABGAACbAABHAACbAABIAACbAABJAACbAABKAACbAABLAACbAABMAACbAABNAACbAABOAACbAABPAA\
        CbAABQAACbAABRAACbAABSAACbAABTAACbAABUAACbAABVAACbAABWAACbAABXAACbAABYAACbAABZAACbAABaAACbAABbAACbAABcAAC\
        bAABdAACbAABeAACbAABfAACbAABgAACbAABhAACbAABiAABoAABjAACbAABkAACbAACbAABlAABmAACbAABnAACbAACbAADEAABpAACb\
        AACbAABqAABrAACbAABsAACbAABtAACbAACbAABuAABvAACbAABwAACbAABxAACbAAByAACbAABzAACbAAB0AACbAACbAAB1AAB2AACbA\
        AB3AACbAACbAAB4AAB5AACbAAB6AACbAAB7AACbAACbAAB8AAB9AACbAACbAADRAAB/AACbAACbAACAAACBAACbAACbAACCAACDAACbAA\
        CEAACbAACFAACbAACGAACbAACHAACbAACIAACbAACJAACbAACbAACKAACLAACbAACMAACbAACNAACbAACOAACbAACPAACbAACQAACbAAC\
        RAACbAACbAACSAACTAACbAACbAACUAACbAACVAACbAACWAACXAACbAACYAACbAACZAACbAACaAACbAADeAACbAAAAAAAAAAAAAAAAAAAA\
        AEdjb3VudHJ5SGlzb19jb2RlQlVT4SAIIBHhIAAgFEJHQuEgCCAe4SAAICFCREXhIAggK+EgACAuq83vTWF4TWluZC5jb23pSm5vZGVfY\
        291bnTBm0tyZWNvcmRfc2l6ZaEYSmlwX3ZlcnNpb26hBk1kYXRhYmFzZV90eXBlUURCSVAtQ291bnRyeS1MaXRlSWxhbmd1YWdlcwEEQm\
        VuW2JpbmFyeV9mb3JtYXRfbWFqb3JfdmVyc2lvbqECW2JpbmFyeV9mb3JtYXRfbWlub3JfdmVyc2lvbqBLZGVzY3JpcHRpb27hQmVuQXh\
        LYnVpbGRfZXBvY2gEAmsMn6A=
        """
}
