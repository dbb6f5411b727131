import Foundation

/// The structure of one JSON text (RFC 8259), parsed in one pass without an object per value: a list of nodes that
/// point into the bytes.
struct JSONText {
    enum Kind: UInt8 {
        case null, `true`, `false`, number
        /// A string without escapes, whose bytes are its text.
        case string
        case escapedString
        case array
        /// Followed by a name and a value for each member.
        case object
    }

    /// A value, or the name of a member. The nodes of an array or object follow it.
    struct Node {
        let kind: Kind
        /// The first byte, and the one after the last; those of a string without its quotation marks.
        let start: Int32
        var end: Int32
        /// The index of the node after this one and all inside it.
        var next: Int32
        /// The number of elements or members.
        var count: Int32
    }

    let bytes: [UInt8]
    private(set) var nodes: [Node]

    /// Parses a JSON text.
    /// - Parameter maximumDepth: How deeply values may be nested; bounds the recursion.
    /// - Throws: `JSONError` if the text is not JSON, not UTF-8, nested too deeply, or repeats a member name.
    init(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
        self.bytes = bytes
        nodes = []
        guard bytes.count <= Int32.max, String(validating: bytes, as: UTF8.self) != nil else { throw .notJSON }
        // One node for 12 bytes is more than most documents have.
        nodes.reserveCapacity(bytes.count / 12 + 4)
        var parser = JSONParser(maximumDepth: maximumDepth)
        try parser.parse(bytes, into: &nodes)
    }

    /// Returns the text of a string or a member's name.
    func string(_ node: Node) -> String {
        node.kind == .escapedString
            ? String(decoding: unescaped(node), as: UTF8.self)
            : bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]), as: UTF8.self)
            }
    }

    /// Returns a number; infinite if it is beyond the range of a double.
    func number(_ node: Node) -> Double? {
        // Each whole number up to 2^53 is a double.
        guard let (magnitude, isNegative) = integer(node), magnitude <= 1 << 53 else { return Double(string(node)) }
        return isNegative ? -Double(magnitude) : Double(magnitude)
    }

    /// Returns the magnitude and the sign of a number that is written without fraction and exponent and fits.
    func integer(_ node: Node) -> (magnitude: UInt64, isNegative: Bool)? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = Int(node.start)
            let isNegative = bytes[index] == UInt8(ascii: "-")
            if isNegative { index += 1 }
            var magnitude: UInt64 = 0
            while index < Int(node.end) {
                guard let digit = UInt8(exactly: Int(bytes[index]) - 0x30), digit <= 9 else { return nil }
                let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, hasOverflowed) = product.addingReportingOverflow(UInt64(digit))
                guard !isTooLarge, !hasOverflowed else { return nil }
                magnitude = sum
                index += 1
            }
            return (magnitude, isNegative)
        }
    }

    /// Returns the date that a string without escapes is, in the form in which dates are written here.
    func date(_ node: Node) -> Date? {
        bytes.withUnsafeBufferPointer {
            JSONDate.date(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
        }
    }

    /// Returns whether a member's name is a text.
    func isName(_ node: Node, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard node.kind == .string else { return unescaped(node).elementsEqual(name) }
        guard node.end - node.start == name.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress, let name = name.baseAddress else { return true }
            return memcmp(start + Int(node.start), name, Int(node.end - node.start)) == 0
        }
    }

    /// Returns the UTF-8 text of a string whose escapes the parser has checked.
    private func unescaped(_ node: Node) -> [UInt8] {
        JSONEscapes.text(of: bytes[Int(node.start)..<Int(node.end)])
    }

    /// Returns the indexes of the values of all members of an object, by name.
    func members(of object: Int) -> [[UInt8]: Int] {
        var members = [[UInt8]: Int](minimumCapacity: Int(nodes[object].count))
        var index = object + 1
        for _ in 0..<nodes[object].count {
            members[Array(string(nodes[index]).utf8)] = index + 1
            index = Int(nodes[index + 1].next)
        }
        return members
    }

    /// Returns the index of the value of an object's member; `nil` if there is none.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { name in
            let end = Int(nodes[object].next)
            var index = object + 1
            while index < end {
                if isName(nodes[index], name) { return index + 1 }
                index = Int(nodes[index + 1].next)
            }
            return nil
        }
    }
}

/// Why a text was rejected as JSON.
package enum JSONError: Error, Equatable {
    case notJSON
    case tooDeep
    /// RFC 8259 permits a repeated member name; this parser rejects it.
    case repeatedName
    /// A member name has more than 1,200 bytes.
    case nameTooLong
}
