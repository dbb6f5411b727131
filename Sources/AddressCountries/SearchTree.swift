import Transport

/// The binary tree of a MaxMind DB file: one level for each bit of an address.
struct SearchTree: Sendable {
    /// The size in bytes.
    let size: Int

    private let bytes: [UInt8]
    private let nodes: Int
    /// The bits of a branch: 24, 28 or 32.
    private let recordSize: Int
    private let addressWidth: Int
    /// The branch below which IPv4 addresses are.
    private let start: Int

    /// Returns `nil` unless the file has as many bytes as the tree.
    init?(_ bytes: [UInt8], nodes: Int, recordSize: Int, addressVersion: Int) {
        guard [24, 28, 32].contains(recordSize), [4, 6].contains(addressVersion), nodes > 0,
            nodes * recordSize / 4 <= bytes.count
        else { return nil }
        size = nodes * recordSize / 4
        addressWidth = addressVersion == 4 ? 32 : 128
        (self.bytes, self.nodes, self.recordSize) = (bytes, nodes, recordSize)
        var start = 0
        if addressWidth == 128 {
            for _ in 0..<96 where start < nodes { start = Self.branch(of: start, right: false, recordSize, bytes) }
        }
        self.start = start
    }

    /// Returns the offset of an address's record from the end of the tree, or `nil` if the tree has none.
    func record(of address: IPAddress) -> Int? {
        guard address.width <= addressWidth else { return nil }
        var node = address.width == addressWidth ? 0 : start
        var bit = address.width
        while bit > 0, node < nodes {
            bit -= 1
            node = branch(of: node, right: address.value >> bit & 1 == 1)
        }
        return record(node)
    }

    /// Returns the offsets of the records that are found first.
    /// - Parameter limit: the most nodes that are visited.
    func records(limit: Int) -> [Int] {
        var (found, remaining, visited): ([Int], [(node: Int, depth: Int)], Int) = ([], [(0, 0)], 0)
        while let (node, depth) = remaining.popLast(), visited < limit {
            visited += 1
            if let record = record(node) {
                found.append(record)
            } else if node < nodes, depth < addressWidth {
                remaining.append((branch(of: node, right: true), depth + 1))
                remaining.append((branch(of: node, right: false), depth + 1))
            }
        }
        return found
    }

    /// Returns the record to which a branch leads; `nil` for a node and for the number that stands for no record.
    private func record(_ branch: Int) -> Int? { branch > nodes ? branch - nodes : nil }

    private func branch(of node: Int, right: Bool) -> Int { Self.branch(of: node, right: right, recordSize, bytes) }

    /// - Parameter node: less than the number of nodes, whose bytes exist.
    private static func branch(of node: Int, right: Bool, _ recordSize: Int, _ bytes: [UInt8]) -> Int {
        let start = node * recordSize / 4
        let byte = { Int(bytes[start + $0]) }
        switch recordSize {
        case 24:
            let first = right ? 3 : 0
            return byte(first) << 16 | byte(first + 1) << 8 | byte(first + 2)
        case 28:
            let (first, high) = right ? (4, byte(3) & 0xf) : (0, byte(3) >> 4)
            return high << 24 | byte(first) << 16 | byte(first + 1) << 8 | byte(first + 2)
        default:
            let first = right ? 4 : 0
            return byte(first) << 24 | byte(first + 1) << 16 | byte(first + 2) << 8 | byte(first + 3)
        }
    }
}
