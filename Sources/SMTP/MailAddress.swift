/// An e-mail address that can stand in an SMTP command and in a header without quoting: ASCII, a dot-atom on both sides
/// (RFC 5322 section 3.4.1), at most 254 bytes.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// The part after the `@`.
    package let domain: String

    /// Returns `nil` for other addresses, such as those with quotes or non-ASCII characters.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, parts[0].count <= 64,
            parts.allSatisfy({ Self.isDotAtom($0) })
        else { return nil }
        description = text
        domain = String(decoding: parts[1], as: UTF8.self)
    }

    private static func isDotAtom(_ bytes: Substring.UTF8View) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(isAtomText)
        }
    }

    private static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }
}

/// A name with an address, as in `Photolala <no-reply@photos.example>`.
package struct Mailbox: Sendable, Equatable, CustomStringConvertible {
    /// Empty if there is none.
    package let name: String
    package let address: MailAddress

    package var description: String { name.isEmpty ? "\(address)" : "\(name) <\(address)>" }

    package init(name: String, address: MailAddress) { (self.name, self.address) = (name, address) }

    /// Parses `address` or `name <address>`. Returns `nil` for other texts.
    package init?(_ text: String) {
        if let address = MailAddress(text) {
            self.init(name: "", address: address)
            return
        }
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<"),
            let address = MailAddress(String(text[text.index(after: start)...].dropLast()))
        else { return nil }
        var name = text[..<start]
        while name.last == " " { name.removeLast() }
        if name.count >= 2, name.first == "\"", name.last == "\"" { name = name.dropFirst().dropLast() }
        guard name.utf8.count <= 100, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.init(name: String(name), address: address)
    }
}
