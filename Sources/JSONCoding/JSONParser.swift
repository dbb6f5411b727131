import Foundation

/// Parses one JSON text (RFC 8259) strictly. Foundation's parser silently keeps one of two members with the same name,
/// but RFC 7515 section 4 and RFC 7519 section 4 require such a token to be rejected: two parsers could see two
/// different tokens.
struct JSONParser {
    /// Above this number of members, names are compared by a set: a comparison of each pair costs less only below it.
    private static let fewMembers = 16

    /// The longest member name as it is written, in bytes: 100 characters of two escapes. A dictionary hashes names in
    /// their normal form, which takes more than linear time for many combining marks.
    private static let longestName = 1200

    private let maximumDepth: Int
    private var position = 0

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// Appends the nodes of a text. The text must be UTF-8.
    mutating func parse(_ bytes: [UInt8], into nodes: inout [JSONText.Node]) throws(JSONError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try value(bytes, &nodes, depth: 0)
            skipSpace(bytes)
            guard position == bytes.count else { throw .notJSON }
        }
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private func peek(_ bytes: Bytes) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace(_ bytes: Bytes) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func consume(_ byte: UInt8, _ bytes: Bytes) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(
        _ bytes: Bytes, _ nodes: inout [JSONText.Node], depth: Int
    ) throws(JSONError) {
        guard depth < maximumDepth else { throw .tooDeep }
        skipSpace(bytes)
        switch peek(bytes) {
        case UInt8(ascii: "{"): try object(bytes, &nodes, depth: depth)
        case UInt8(ascii: "["): try array(bytes, &nodes, depth: depth)
        case UInt8(ascii: "\""): try string(bytes, &nodes)
        case UInt8(ascii: "t"): try literal("true", .true, bytes, &nodes)
        case UInt8(ascii: "f"): try literal("false", .false, bytes, &nodes)
        case UInt8(ascii: "n"): try literal("null", .null, bytes, &nodes)
        default: try number(bytes, &nodes)
        }
    }

    private mutating func append(
        _ kind: JSONText.Kind, from start: Int, to end: Int, _ nodes: inout [JSONText.Node]
    ) {
        nodes.append(
            JSONText.Node(
                kind: kind, start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end),
                next: Int32(truncatingIfNeeded: nodes.count + 1), count: 0))
    }

    private mutating func literal(
        _ word: StaticString, _ kind: JSONText.Kind, _ bytes: Bytes, _ nodes: inout [JSONText.Node]
    ) throws(JSONError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard consume(word.utf8Start[index], bytes) else { throw .notJSON }
        }
        append(kind, from: start, to: position, &nodes)
    }

    private mutating func object(
        _ bytes: Bytes, _ nodes: inout [JSONText.Node], depth: Int
    ) throws(JSONError) {
        let node = nodes.count
        append(.object, from: position, to: position, &nodes)
        position += 1
        skipSpace(bytes)
        var count: Int32 = 0
        if !consume(UInt8(ascii: "}"), bytes) {
            var names: Set<[UInt8]> = []
            repeat {
                skipSpace(bytes)
                let name = nodes.count
                try string(bytes, &nodes)
                guard nodes[name].end - nodes[name].start <= Self.longestName else { throw .nameTooLong }
                try requireNewName(name, of: node, count, &names, bytes, nodes)
                skipSpace(bytes)
                guard consume(UInt8(ascii: ":"), bytes) else { throw .notJSON }
                try value(bytes, &nodes, depth: depth + 1)
                count += 1
                skipSpace(bytes)
            } while consume(UInt8(ascii: ","), bytes)
            guard consume(UInt8(ascii: "}"), bytes) else { throw .notJSON }
        }
        close(node, count, &nodes)
    }

    private mutating func array(
        _ bytes: Bytes, _ nodes: inout [JSONText.Node], depth: Int
    ) throws(JSONError) {
        let node = nodes.count
        append(.array, from: position, to: position, &nodes)
        position += 1
        skipSpace(bytes)
        var count: Int32 = 0
        if !consume(UInt8(ascii: "]"), bytes) {
            repeat {
                try value(bytes, &nodes, depth: depth + 1)
                count += 1
                skipSpace(bytes)
            } while consume(UInt8(ascii: ","), bytes)
            guard consume(UInt8(ascii: "]"), bytes) else { throw .notJSON }
        }
        close(node, count, &nodes)
    }

    /// Sets what is known only after the nodes inside.
    private func close(_ node: Int, _ count: Int32, _ nodes: inout [JSONText.Node]) {
        nodes[node].end = Int32(truncatingIfNeeded: position)
        nodes[node].next = Int32(truncatingIfNeeded: nodes.count)
        nodes[node].count = count
    }

    /// - Parameter names: The names so far, from `fewMembers` on.
    private func requireNewName(
        _ name: Int, of object: Int, _ count: Int32, _ names: inout Set<[UInt8]>, _ bytes: Bytes,
        _ nodes: [JSONText.Node]
    ) throws(JSONError) {
        if count < Self.fewMembers {
            var index = object + 1
            while index < name {
                guard !isSame(nodes[index], nodes[name], bytes) else { throw .repeatedName }
                index = Int(nodes[index + 1].next)
            }
            return
        }
        if names.isEmpty {
            var index = object + 1
            while index < name {
                names.insert(text(nodes[index], bytes))
                index = Int(nodes[index + 1].next)
            }
        }
        guard names.insert(text(nodes[name], bytes)).inserted else { throw .repeatedName }
    }

    private func isSame(_ left: JSONText.Node, _ right: JSONText.Node, _ bytes: Bytes) -> Bool {
        guard left.kind == .string, right.kind == .string else { return text(left, bytes) == text(right, bytes) }
        guard left.end - left.start == right.end - right.start else { return false }
        guard let start = bytes.baseAddress else { return true }
        return memcmp(start + Int(left.start), start + Int(right.start), Int(left.end - left.start)) == 0
    }

    private func text(_ node: JSONText.Node, _ bytes: Bytes) -> [UInt8] {
        let raw = Array(bytes[Int(node.start)..<Int(node.end)])
        return node.kind == .escapedString ? JSONEscapes.text(of: raw[...]) : raw
    }

    private mutating func number(_ bytes: Bytes, _ nodes: inout [JSONText.Node]) throws(JSONError) {
        let start = position
        _ = consume(UInt8(ascii: "-"), bytes)
        if !consume(UInt8(ascii: "0"), bytes) { try digits(bytes) }
        if consume(UInt8(ascii: "."), bytes) { try digits(bytes) }
        if consume(UInt8(ascii: "e"), bytes) || consume(UInt8(ascii: "E"), bytes) {
            if !consume(UInt8(ascii: "+"), bytes) { _ = consume(UInt8(ascii: "-"), bytes) }
            try digits(bytes)
        }
        append(.number, from: start, to: position, &nodes)
    }

    private mutating func digits(_ bytes: Bytes) throws(JSONError) {
        let start = position
        while let byte = peek(bytes), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw .notJSON }
    }

    private mutating func string(_ bytes: Bytes, _ nodes: inout [JSONText.Node]) throws(JSONError) {
        guard consume(UInt8(ascii: "\""), bytes) else { throw .notJSON }
        let start = position
        var kind = JSONText.Kind.string
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            // A quotation mark, and a backslash.
            if byte == 0x22 {
                return append(kind, from: start, to: position - 1, &nodes)
            } else if byte == 0x5c {
                kind = .escapedString
                guard let length = JSONEscapes.length(in: bytes, at: position) else { throw .notJSON }
                position += length
            } else if byte < 0x20 {
                throw .notJSON
            }
        }
        throw .notJSON
    }
}
