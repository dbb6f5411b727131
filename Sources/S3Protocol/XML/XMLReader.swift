/// Parses the XML subset used in requests and responses of S3. Document types, custom entities, comments, processing
/// instructions and deep nesting are rejected, so there is nothing to expand and nothing to fetch.
package struct XMLReader {
    private var remaining: Substring.UTF8View
    private let maximumDepth = 8
    /// Each element with a declaration copies those around it, so without a limit a document could cost the square of its
    /// length.
    private static let maximumNamespaces = 16

    /// Returns the document's root element.
    /// - Parameter document: The document in UTF-8.
    package static func read(_ document: some Sequence<UInt8>) throws(XMLError) -> PlainElement {
        guard let document = String(validating: document, as: UTF8.self) else { throw XMLError() }
        var reader = XMLReader(remaining: Substring(document).utf8)
        reader.skipSpace()
        if reader.skip("<?xml") {
            guard let end = Substring(reader.remaining).firstRange(of: "?>") else { throw XMLError() }
            reader.remaining = Substring(reader.remaining)[end.upperBound...].utf8
        }
        reader.skipSpace()
        let root = try reader.element(depth: 0, namespaces: [:])
        reader.skipSpace()
        guard reader.remaining.isEmpty else { throw XMLError() }
        return root
    }

    /// - Parameter namespaces: The namespaces of the enclosing elements by prefix; the empty one has no prefix.
    private mutating func element(
        depth: Int, namespaces: [String: String]
    ) throws(XMLError) -> PlainElement {
        guard depth < maximumDepth, skip("<"), let tag = upTo(">") else { throw XMLError() }
        let isEmpty = tag.last == UInt8(ascii: "/")
        let inside = isEmpty ? tag.dropLast() : tag
        let qualified = inside.prefix { !Self.isSpace($0) }
        guard let name = Self.localName(qualified), !inside.contains(UInt8(ascii: "<")) else { throw XMLError() }
        var namespaces = namespaces
        if qualified.count < inside.count { try Self.declare(inside.dropFirst(qualified.count), in: &namespaces) }
        var node = PlainElement(name: name, namespace: namespaces[Self.prefix(of: qualified)])
        if isEmpty { return node }
        while true {
            let text = try text()
            if node.text.isEmpty { node.text = text } else { node.text += text }
            if skip("</") {
                guard let close = upTo(">"), Self.trimmed(close).elementsEqual(qualified) else { throw XMLError() }
                return node
            }
            node.children.append(try element(depth: depth + 1, namespaces: namespaces))
        }
    }

    private mutating func text() throws(XMLError) -> String {
        let end = remaining.firstIndex(of: UInt8(ascii: "<")) ?? remaining.endIndex
        guard end != remaining.endIndex else { throw XMLError() }
        let raw = remaining[..<end]
        remaining = remaining[end...]
        return try Self.unescaped(raw)
    }

    /// Returns a text with its entities replaced.
    private static func unescaped(_ raw: Substring.UTF8View) throws(XMLError) -> String {
        guard raw.contains(UInt8(ascii: "&")) else { return String(Substring(raw)) }
        // Splits by bytes: in Swift, `&` followed by a combining accent is a single character that differs from `&`.
        var pieces = raw.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).makeIterator()
        var text = pieces.next().map { String(Substring($0)) } ?? ""
        while let piece = pieces.next() {
            guard let semicolon = piece.firstIndex(of: UInt8(ascii: ";")),
                let scalar = entity(Substring(piece[..<semicolon]))
            else { throw XMLError() }
            text.unicodeScalars.append(scalar)
            text += Substring(piece[semicolon...].dropFirst())
        }
        return text
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#"), name.utf8.count <= 9 else { return nil }
            let digits = name.dropFirst()
            let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init)
        }
    }

    /// Returns a name without its prefix; `nil` for an invalid name. The names used by S3 and similar services are
    /// ASCII.
    private static func localName(_ name: Substring.UTF8View) -> String? {
        let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(isName) else { return nil }
        return parts.last.map { String(Substring($0)) }
    }

    private static func prefix(of name: Substring.UTF8View) -> String {
        name.firstIndex(of: UInt8(ascii: ":")).map { String(Substring(name[..<$0])) } ?? ""
    }

    /// Adds the namespaces that the attributes of an element declare (Namespaces in XML 1.0); other attributes are
    /// dropped.
    private static func declare(
        _ attributes: Substring.UTF8View, in namespaces: inout [String: String]
    ) throws(XMLError) {
        var remaining = attributes.drop(while: isSpace)
        while !remaining.isEmpty {
            guard let equals = remaining.firstIndex(of: UInt8(ascii: "=")) else { throw XMLError() }
            let name = trimmed(remaining[..<equals])
            let value = remaining[equals...].dropFirst().drop(while: isSpace)
            guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = value.dropFirst().firstIndex(of: quote)
            else { throw XMLError() }
            let text = try unescaped(value[value.index(after: value.startIndex)..<end])
            if name.elementsEqual("xmlns".utf8) {
                namespaces[""] = text.isEmpty ? nil : text
            } else if name.starts(with: "xmlns:".utf8) {
                // A prefix cannot be undeclared.
                guard !text.isEmpty else { throw XMLError() }
                namespaces[String(Substring(name.dropFirst(6)))] = text
            }
            guard namespaces.count <= maximumNamespaces else { throw XMLError() }
            remaining = value[value.index(after: end)...].drop(while: isSpace)
        }
    }

    private static func isName(_ text: Substring.UTF8View) -> Bool {
        let isLetter = { (byte: UInt8) in (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f }
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    /// Returns whether the byte is XML white space (XML 1.0 section 2.3).
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

    /// Returns the name in a closing tag, which only white space may follow.
    private static func trimmed(_ close: Substring.UTF8View) -> Substring.UTF8View {
        var name = close
        while name.last.map(isSpace) == true { name.removeLast() }
        return name
    }

    private mutating func skipSpace() {
        remaining = remaining.drop(while: Self.isSpace)
    }

    private mutating func skip(_ text: String) -> Bool {
        guard remaining.starts(with: text.utf8) else { return false }
        remaining = remaining.dropFirst(text.utf8.count)
        return true
    }

    private mutating func upTo(_ byte: Unicode.Scalar) -> Substring.UTF8View? {
        guard let end = remaining.firstIndex(of: UInt8(ascii: byte)) else { return nil }
        defer { remaining = remaining[remaining.index(after: end)...] }
        return remaining[..<end]
    }
}
