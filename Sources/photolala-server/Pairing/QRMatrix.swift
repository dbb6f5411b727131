/// The modules of a QR code: its patterns, the format, and the masked codewords.
struct QRMatrix {
    private(set) var modules: [[Bool]]
    private var isFunction: [[Bool]]
    private let size: Int

    init(version: Int, codewords: [UInt8], mask: Int) {
        size = version * 4 + 17
        modules = Array(repeating: Array(repeating: false, count: size), count: size)
        isFunction = modules
        drawPatterns(version)
        drawFormat(mask)
        if version >= 7 { drawVersion(version) }
        drawCodewords(codewords)
        for row in 0..<size {
            for column in 0..<size where !isFunction[row][column] && Self.inverts(mask, row, column) {
                modules[row][column].toggle()
            }
        }
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        (modules[row][column], isFunction[row][column]) = (isDark, true)
    }

    private mutating func drawPatterns(_ version: Int) {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        guard version > 1 else { return }
        // Versions below 7 have one alignment pattern; the others have them also at the middle and beside the timing.
        let centers = version < 7 ? [size - 7] : [6, 2 * version + 8, size - 7]
        for row in centers {
            for column in centers where !isFunction[row][column] || row == 2 * version + 8 || column == 2 * version + 8
            {
                drawAlignment(row, column)
            }
        }
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let (row, column) = (row + down, column + right)
                guard modules.indices.contains(row), modules.indices.contains(column) else { continue }
                let distance = max(abs(down), abs(right))
                set(row, column, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for down in -2...2 {
            for right in -2...2 { set(row + down, column + right, max(abs(down), abs(right)) != 1) }
        }
    }

    /// Draws the level L and the mask, twice, and the dark module.
    private mutating func drawFormat(_ mask: Int) {
        let value = 0b01 << 3 | mask
        let bits = (value << 10 | Self.remainder(value, 10, 0x537)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            switch index {
            case 0..<6: set(index, 8, isDark)
            case 6: set(7, 8, isDark)
            case 7: set(8, 8, isDark)
            case 8: set(8, 7, isDark)
            default: set(8, 14 - index, isDark)
            }
            if index < 8 { set(8, size - 1 - index, isDark) } else { set(size - 15 + index, 8, isDark) }
        }
        set(size - 8, 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        let bits = version << 12 | Self.remainder(version, 12, 0x1F25)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            set(size - 11 + index % 3, index / 3, isDark)
            set(index / 3, size - 11 + index % 3, isDark)
        }
    }

    /// Returns the remainder of a polynomial of single bits, for the codes of format and version.
    private static func remainder(_ value: Int, _ degree: Int, _ generator: Int) -> Int {
        var remainder = value
        for _ in 0..<degree { remainder = remainder << 1 ^ (remainder >> (degree - 1)) * generator }
        return remainder
    }

    /// Draws the bits in pairs of columns, from the right, upwards and downwards in turn.
    private mutating func drawCodewords(_ codewords: [UInt8]) {
        var index = 0
        var right = size - 1
        while right > 0 {
            // The column of the timing pattern has no data.
            if right == 6 { right = 5 }
            for step in 0..<size {
                let row = (right + 1) & 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isFunction[row][column] && index < codewords.count * 8 {
                    modules[row][column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
            right -= 2
        }
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        let product = row * column
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }

    /// How hard the code is to scan: long runs, blocks, patterns like the corners', and an uneven number of dark modules.
    var penalty: Int {
        let columns = (0..<size).map { column in modules.map { $0[column] } }
        let lines = (modules + columns).reduce(0) { $0 + Self.penalty(ofLine: $1) }
        var blocks = 0
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let sum = [(row, column + 1), (row + 1, column), (row + 1, column + 1)]
                if sum.allSatisfy({ modules[$0.0][$0.1] == modules[row][column] }) { blocks += 3 }
            }
        }
        let dark = modules.reduce(0) { $0 + $1.count { $0 } }
        return lines + blocks + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }

    private static func penalty(ofLine line: [Bool]) -> Int {
        var (sum, start) = (0, 0)
        for index in 1...line.count where index == line.count || line[index] != line[start] {
            if index - start >= 5 { sum += index - start - 2 }
            start = index
        }
        let corner = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        for pattern in [corner + light, light + corner] {
            for start in 0...line.count - pattern.count where line[start..<start + pattern.count].elementsEqual(pattern)
            {
                sum += 40
            }
        }
        return sum
    }
}
