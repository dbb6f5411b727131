/// The value of the header `tracestate`: data of other tracing systems, which is passed on.
package struct TraceState: Sendable, Equatable, CustomStringConvertible {
    /// The most characters that are passed on. W3C Trace Context requires 512.
    static let maximumLength = 512
    /// The most members of a list.
    private static let maximumMembers = 32
    /// Members that are longer are dropped first from a list that is too long.
    private static let longMember = 128

    package let description: String

    /// - Parameter text: the values of all headers, joined by commas.
    /// - Returns: `nil` if the list is empty or malformed.
    init?(_ text: String) {
        var members: [Substring] = []
        var keys: Set<Substring> = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: true) {
            let member = Substring(part.trimmingBlanks())
            if member.isEmpty { continue }
            guard let equals = member.firstIndex(of: "=") else { return nil }
            let key = member[..<equals]
            guard Self.isKey(key), Self.isValue(member[equals...].dropFirst()), keys.insert(key).inserted else {
                return nil
            }
            members.append(member)
        }
        guard members.count <= Self.maximumMembers else { return nil }
        if Self.length(members) > Self.maximumLength { members.removeAll { $0.utf8.count > Self.longMember } }
        while Self.length(members) > Self.maximumLength { members.removeLast() }
        guard !members.isEmpty else { return nil }
        description = members.joined(separator: ",")
    }

    private static func length(_ members: [Substring]) -> Int {
        members.reduce(members.count - 1) { $0 + $1.utf8.count }
    }

    /// Returns whether the text is a key, with at most one `@` between tenant and system.
    private static func isKey(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.allSatisfy(isKeyByte) }), let first = parts[0].first else { return false }
        switch parts.count {
        case 1: return isLetter(first) && parts[0].count <= 256
        case 2:
            return parts[0].count <= 241 && parts[1].count <= 14 && parts[1].first.map(isLetter) == true
                && (isLetter(first) || isDigit(first))
        default: return false
        }
    }

    private static func isValue(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
