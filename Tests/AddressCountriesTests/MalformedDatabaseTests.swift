import AddressCountries
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

/// Files that are damaged, or made to harm.
@Suite struct MalformedDatabaseTests {
    private static let networks: [(prefix: UInt128, length: Int)] = [
        (0x0102_0300, 96 + 24), (0x2a00_0001 << 96, 32),
    ]
    private static let file = DatabaseFile(records: [(DatabaseFile.country("DE"), networks)])

    private static func problem(_ bytes: [UInt8]) -> CountryDatabaseError? {
        do throws(CountryDatabaseError) {
            _ = try CountryDatabase(bytes)
            return nil
        } catch { return error }
    }

    @Test("a file that cannot be used is refused with the reason")
    func reasons() throws {
        let bytes = Self.file.bytes
        #expect(Self.problem(bytes) == nil && Self.problem([]) == .otherFormat)
        #expect(Self.problem([UInt8]("<html>".utf8)) == .otherFormat)
        #expect(Self.problem([UInt8](bytes.dropLast(200))) == .otherFormat)
        #expect(Self.problem([UInt8](bytes.dropFirst(300))) == .damaged)
        #expect(Self.problem([UInt8](bytes.dropLast(3))) == .damaged)
        var other = Self.file
        other.formatVersion = 3
        #expect(Self.problem(other.bytes) == .otherVersion(3))
        let networks = DatabaseFile(records: [(.map([("autonomous_system_number", .number(7))]), Self.networks)])
        #expect(Self.problem(networks.bytes) == .noCountries)
        let empty = DatabaseFile(records: [(DatabaseFile.country("DE"), [])])
        #expect(Self.problem(empty.bytes) == .noCountries)
    }

    @Test("a path without a regular file is refused", arguments: ["/nonexistent/countries.mmdb", "/", "/dev/zero"])
    func paths(path: String) {
        #expect(throws: CountryDatabaseError.unreadable) { try CountryDatabase(path: path) }
    }

    @Test("sizes that the file does not have end the search")
    func sizes() throws {
        // Maps and texts of 16 million elements or bytes, and nested lists.
        let largeMap: [UInt8] = [0xff, 0xff, 0xff, 0xff]
        let largeText: [UInt8] = [0x5f, 0xff, 0xff, 0xff]
        let nested = [UInt8](repeating: 0xe1, count: 5000)
        for content in [largeMap, largeText, [0xe1] + largeText, nested, [0xe1, 0x27, 0x41]] {
            let file = DatabaseFile(records: [
                (DatabaseFile.country("DE"), Self.networks), (.bytes(content), [(0x0900_0000, 96 + 8)]),
            ])
            let database = try CountryDatabase(file.bytes)
            #expect(database.country(of: try #require(IPAddress("9.1.1.1"))) == nil)
            #expect(database.country(of: try #require(IPAddress("1.2.3.4")))?.description == "DE")
        }
    }

    @Test("a tree whose branches lead back ends after the bits of an address")
    func cycles() {
        var bytes = Self.file.bytes
        // The first node's branches lead to itself.
        for index in 0..<6 { bytes[index] = 0 }
        #expect(Self.problem(bytes) == .noCountries)
    }

    @Test("mutated files never end the process")
    func mutations() throws {
        var random = SeededGenerator(seed: 7)
        let addresses = ["1.2.3.4", "2a00:1::", "255.255.255.255", "::", "ffff::"].compactMap { IPAddress($0) }
        for _ in 0..<200 {
            var bytes = Self.file.bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let index = bytes.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] = 0xff
                case 2: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            guard let database = try? CountryDatabase(bytes) else { continue }
            for address in addresses { _ = database.country(of: address) }
        }
    }
}
