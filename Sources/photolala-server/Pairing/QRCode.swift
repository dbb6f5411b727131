/// A QR code (ISO/IEC 18004) of bytes: error correction level L, versions 1 to 9, at most 230 bytes.
struct QRCode: Equatable {
    /// A version's number of bytes for data and for error correction, over all blocks.
    private struct Capacity {
        let version: Int
        let data: Int
        let blocks: Int
        let correctionPerBlock: Int
    }

    /// All blocks of a version have the same length.
    private static let capacities = [
        Capacity(version: 1, data: 19, blocks: 1, correctionPerBlock: 7),
        Capacity(version: 2, data: 34, blocks: 1, correctionPerBlock: 10),
        Capacity(version: 3, data: 55, blocks: 1, correctionPerBlock: 15),
        Capacity(version: 4, data: 80, blocks: 1, correctionPerBlock: 20),
        Capacity(version: 5, data: 108, blocks: 1, correctionPerBlock: 26),
        Capacity(version: 6, data: 136, blocks: 2, correctionPerBlock: 18),
        Capacity(version: 7, data: 156, blocks: 2, correctionPerBlock: 20),
        Capacity(version: 8, data: 194, blocks: 2, correctionPerBlock: 24),
        Capacity(version: 9, data: 232, blocks: 2, correctionPerBlock: 30),
    ]
    /// The mode and the length of the data, in bytes, rounded up.
    private static let headBytes = 2

    /// Whether each module is dark, row by row.
    let modules: [[Bool]]
    let version: Int
    let mask: Int

    /// Encodes bytes with the smallest version and the mask with the lowest penalty.
    /// - Parameter mask: Only for tests: the mask to use.
    /// - Returns: `nil` for more than 230 bytes.
    init?(_ bytes: [UInt8], mask fixed: Int? = nil) {
        guard let capacity = Self.capacities.first(where: { $0.data >= bytes.count + Self.headBytes }) else {
            return nil
        }
        let codewords = Self.codewords(bytes, capacity)
        let candidates = (fixed.map { [$0] } ?? Array(0..<8)).map { mask in
            (mask, QRMatrix(version: capacity.version, codewords: codewords, mask: mask))
        }
        guard let best = candidates.min(by: { $0.1.penalty < $1.1.penalty }) else { return nil }
        (mask, modules, version) = (best.0, best.1.modules, capacity.version)
    }

    /// The code for a terminal with light text on a dark background, two rows in a line, with the light margin of four
    /// modules.
    var terminalText: String {
        let margin = 4
        let size = modules.count
        func isLight(_ row: Int, _ column: Int) -> Bool {
            !(modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column])
        }
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            (-margin..<size + margin).map { column in
                switch (isLight(row, column), row + 1 < size + margin && isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }.joined(separator: "\n")
    }

    /// Returns the data with padding and error correction, the bytes of the blocks in turn.
    private static func codewords(_ bytes: [UInt8], _ capacity: Capacity) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)  // bytes
        append(bytes.count, 8)
        for byte in bytes { append(Int(byte), 8) }
        append(0, 4)  // the end
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for filler in 0..<capacity.data - data.count { data.append(filler % 2 == 0 ? 0xEC : 0x11) }
        let length = capacity.data / capacity.blocks
        let blocks = (0..<capacity.blocks).map { Array(data[$0 * length..<($0 + 1) * length]) }
        let corrections = blocks.map { ReedSolomon.correction(of: $0, count: capacity.correctionPerBlock) }
        return [(blocks, length), (corrections, capacity.correctionPerBlock)].flatMap { parts, length in
            (0..<length).flatMap { index in parts.map { $0[index] } }
        }
    }
}

/// Error correction over the field of 256 elements with the polynomial 0x11D.
enum ReedSolomon {
    /// Returns the remainder of the data by the generator polynomial of this degree.
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// Returns the coefficients of the product of all (x - 2^i), without the first one, which is 1.
    private static func generator(_ degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree)
        coefficients[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(right >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
