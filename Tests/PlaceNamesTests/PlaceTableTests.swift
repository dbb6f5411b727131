import Testing

@testable import PlaceNames

@Suite struct PlaceTableTests {
    @Test("the table in the program is read")
    func builtIn() throws {
        let table = try PlaceTable(compressed: PlaceTable.builtInBytes)
        #expect(table.count > 60_000 && PlaceTable.builtIn.count == table.count)
        #expect(table.countries.count > 200 && table.regions.count > 3000 && table.localNames.count > 8000)
    }

    @Test("damaged data is refused", arguments: [0, 3, 4, 7, 8, 900_000, -1])
    func damaged(_ position: Int) {
        var bytes = PlaceTable.builtInBytes
        bytes[position < 0 ? bytes.count - 1 : position] ^= 0x41
        #expect(throws: PlaceTableError.damaged) { _ = try PlaceTable(compressed: bytes) }
    }

    @Test("incomplete data is refused", arguments: [0, 7, 8, 9, 100_000])
    func incomplete(_ length: Int) {
        let bytes = Array(PlaceTable.builtInBytes.prefix(length))
        #expect(throws: PlaceTableError.damaged) { _ = try PlaceTable(compressed: bytes) }
    }

    @Test(
        "a line that is not of the format is refused",
        arguments: [
            (0, "places 1 2 2 4 2", 1), (0, "places 2 2 2 4", 1), (0, "places 2 2 2 -4 2", 1), (0, "", 1),
            (0, "places 2 2 2 4 5", 1), (0, "places 2 2 2 4 3", 12), (0, "places 2 2 2 4 1", 11),
            (0, "places 2 2 2 5 2", 10), (0, "places 2 2 2 3 2", 9), (0, "places 2 0 0 4 2", 2),
            (1, "FJ\tFiji", 2), (3, "2\t\t\t\t\t\t", 4), (3, "-1\t\t\t\t\t\t", 4), (3, "0\t\t", 4),
            (4, "1\tPolar Land\tpolarland\t", 5),
            (5, "-90001\t-179950\t5000\t0\tA\t", 6), (5, "-16800\t-180001\t5000\t0\tA\t", 6),
            (5, "-16800\t-179950\t5000\t2\tA\t", 6), (5, "-16800\t-179950\t\t0\tA\t", 6),
            (5, "-16800\t-179950\t5x\t0\tA\t", 6), (5, "-16800\t-179950\t1000000000\t0\tA\t", 6),
            (6, "-16800\t-179960\t9000\t0\tA\t", 7), (8, "-89900\t20000\t5000\t1\tA\t", 9),
            (9, "4\tA\t\t\t", 10), (9, "1\tA\t\t", 10), (10, "1\tA\t\t\t", 11), (10, "3\tA\t\t\t\t", 11),
        ])
    func malformed(_ index: Int, _ line: String, _ expected: Int) {
        var lines = SmallTable.lines
        lines[index] = line
        #expect(throws: PlaceTableError.malformed(line: expected)) {
            _ = try PlaceTable(text: SmallTable.text(lines))
        }
    }

    @Test("any part of a table is refused without a trap")
    func parts() throws {
        let text = SmallTable.text()
        for length in 0..<text.count {
            #expect(throws: PlaceTableError.self) { _ = try PlaceTable(text: Array(text.prefix(length))) }
        }
        #expect(try SmallTable.table().count == 4)
    }

    @Test("the names of cities in other languages are searched")
    func localNames() {
        let table = PlaceTable.builtIn
        for local in table.localNames {
            let city = table.cities[Int(local.city)]
            func words(_ range: Range<Int>) -> [String] {
                PlaceFolding.words(of: String(decoding: table.text[range], as: UTF8.self))
            }
            let searched = Set(words(Int(city.nameStart)..<Int(city.searchedEnd)))
            #expect(local.names.allSatisfy { searched.isSuperset(of: words($0)) })
        }
    }

    @Test("what is searched is in the form to which words are folded")
    func folded() {
        let table = PlaceTable.builtIn
        for city in table.cities {
            let names = String(decoding: table.text[Int(city.nameEnd)..<Int(city.searchedEnd)], as: UTF8.self)
            // Most names are ASCII, and the comparison of all letters takes long.
            if names.utf8.allSatisfy({ $0 < 0x80 }) {
                #expect(names.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
            } else {
                #expect(PlaceFolding.folded(names) == names)
            }
        }
    }
}
