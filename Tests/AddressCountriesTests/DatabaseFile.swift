import Foundation

/// Writes small files in the MaxMind DB format.
struct DatabaseFile {
    indirect enum Value {
        case text(String)
        case number(UInt32)
        case map([(String, Value)])
        case array([Value])
        /// A pointer to a position among the records.
        case pointer(Int)
        case bytes([UInt8])

        var encoded: [UInt8] {
            switch self {
            case .text(let text): Self.header(2, text.utf8.count) + [UInt8](text.utf8)
            case .number(let number): [0xc4] + DatabaseFile.bytes(Int(number), 4)
            case .map(let members):
                Self.header(7, members.count) + members.flatMap { Value.text($0.0).encoded + $0.1.encoded }
            case .array(let values): Self.header(11, values.count) + values.flatMap(\.encoded)
            case .pointer(let target): [0x38] + DatabaseFile.bytes(target, 4)
            case .bytes(let bytes): bytes
            }
        }

        static func header(_ type: Int, _ size: Int) -> [UInt8] {
            let low = size < 29 ? size : size < 285 ? 29 : 30
            let more = low == 29 ? DatabaseFile.bytes(size - 29, 1) : low == 30 ? DatabaseFile.bytes(size - 285, 2) : []
            return type > 7 ? [UInt8(low), UInt8(type - 7)] + more : [UInt8(type << 5 | low)] + more
        }
    }

    var recordSize = 24
    var addressVersion = 6
    var formatVersion: UInt32 = 2
    /// The records, and for each the networks that have it.
    var records: [(value: Value, networks: [(prefix: UInt128, length: Int)])]

    static func country(_ code: String) -> Value { .map([("country", .map([("iso_code", .text(code))]))]) }

    /// The bytes of the file.
    var bytes: [UInt8] {
        var nodes: [[Int?]] = [[nil, nil]]
        var data: [UInt8] = []
        // Nodes are positive, records negative.
        for (value, networks) in records {
            for network in networks {
                var node = 0
                for bit in 1..<network.length {
                    let side = Int(network.prefix >> (width - bit) & 1)
                    if nodes[node][side] == nil {
                        nodes.append([nil, nil])
                        nodes[node][side] = nodes.count - 1
                    }
                    node = nodes[node][side] ?? 0
                }
                nodes[node][Int(network.prefix >> (width - network.length) & 1)] = -1 - data.count
            }
            data += value.encoded
        }
        let branches = nodes.flatMap { $0.map { branch($0, nodes.count) } }
        let tree = stride(from: 0, to: branches.count, by: 2).flatMap { node(branches[$0], branches[$0 + 1]) }
        let metadata = Value.map([
            ("node_count", .number(UInt32(nodes.count))), ("record_size", .number(UInt32(recordSize))),
            ("ip_version", .number(UInt32(addressVersion))), ("database_type", .text("Test")),
            ("languages", .array([.text("en")])), ("binary_format_major_version", .number(formatVersion)),
        ])
        return tree + [UInt8](repeating: 0, count: 16) + data + [0xab, 0xcd, 0xef] + [UInt8]("MaxMind.com".utf8)
            + metadata.encoded
    }

    private var width: Int { addressVersion == 4 ? 32 : 128 }

    private func branch(_ value: Int?, _ nodes: Int) -> Int {
        guard let value else { return nodes }
        return value < 0 ? nodes + 16 + (-1 - value) : value
    }

    private func node(_ left: Int, _ right: Int) -> [UInt8] {
        guard recordSize == 28 else { return Self.bytes(left, recordSize / 8) + Self.bytes(right, recordSize / 8) }
        return Self.bytes(left & 0xff_ffff, 3) + [UInt8((left >> 24) << 4 | right >> 24)]
            + Self.bytes(right & 0xff_ffff, 3)
    }

    static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xff) }
    }
}
