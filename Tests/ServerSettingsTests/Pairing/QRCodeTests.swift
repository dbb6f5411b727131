import Crypto
import Foundation
import Testing

@testable import photolala_server

/// The expected codes were made with the Python package `qrcode` 8.2 for the same mask.
@Suite struct QRCodeTests {
    private static func text(_ code: QRCode) -> String {
        code.modules.map { $0.map { $0 ? "#" : "." }.joined() }.joined(separator: "\n")
    }

    @Test("a short text is a code of version 1")
    func version1() throws {
        let code = try #require(QRCode(Array("hello".utf8), mask: 7))
        #expect(
            Self.text(code) == """
                #######..#.##.#######
                #.....#.##.#..#.....#
                #.###.#.##..#.#.###.#
                #.###.#..#.#..#.###.#
                #.###.#.#...#.#.###.#
                #.....#.#..##.#.....#
                #######.#.#.#.#######
                ........#####........
                ##.#..##.##...###.##.
                .#####.###....#....##
                ..##.####.#.##...##.#
                ...#.#..#..#.....#.##
                ....#.##.##.#.#.#....
                ........####...##.#.#
                #######.###..#.#.###.
                #.....#..#####.##....
                #.###.#..#.#..###...#
                #.###.#.#.##...#.####
                #.###.#..##.#...#.#.#
                #.....#.###..##......
                #######.#.###..#.#.#.
                """)
    }

    @Test(
        "larger texts have more modules, alignment patterns, two blocks and the version",
        arguments: [
            ("a", 33, 3, 0, "3d7b9e6d3b5de26b318d78c3d36384d7173fd4cbcaff782cf8dd3063e3ea374f"),
            ("b", 150, 7, 2, "5721f97ab13b674cdc118b692209fbb25a687f6ccd1420754a620f4807c44c0c"),
            ("c", 230, 9, 2, "111e8d388915f3979247078e361b569e49bd6f3ae739a5413f1d044cee4c9f04"),
        ])
    func larger(character: String, count: Int, version: Int, mask: Int, digest: String) throws {
        let code = try #require(QRCode(Array(String(repeating: character, count: count).utf8)))
        #expect(code.version == version && code.mask == mask && code.modules.count == version * 4 + 17)
        let hash = SHA256.hash(data: Data(Self.text(code).utf8))
        #expect(hash.map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test("more than 230 bytes have no code")
    func tooLong() {
        #expect(QRCode([UInt8](repeating: 1, count: 230)) != nil && QRCode([UInt8](repeating: 1, count: 231)) == nil)
    }

    @Test("a terminal shows the modules with a margin, two rows in a line")
    func terminal() throws {
        let code = try #require(QRCode(Array("hello".utf8)))
        let lines = code.terminalText.split(separator: "\n").map(Array.init)
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        for row in -4..<25 {
            for column in -4..<25 {
                let isDark =
                    code.modules.indices.contains(row) && code.modules.indices.contains(column)
                    && code.modules[row][column]
                let light: Set<Character> = (row + 4).isMultiple(of: 2) ? ["█", "▀"] : ["█", "▄"]
                #expect(light.contains(lines[(row + 4) / 2][column + 4]) == !isDark, "\(row), \(column)")
            }
        }
    }
}
