/// A request URL normalized for comparison (RFC 3986 sections 6.2.2 and 6.2.3), without query and fragment. The
/// loopback names of a machine compare as equal.
struct TargetURI: Equatable {
    private let scheme: String
    private let host: String
    private let port: UInt16
    private let path: String

    /// Unreserved characters other than letters (RFC 3986 section 2.3).
    private static let unreserved = Set("0123456789-._~".utf8)
    private static let ports: [String: UInt16] = ["http": 80, "https": 443]

    /// Returns `nil` unless the text is an http or https URL of printable ASCII without user information.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        let url = text.prefix { $0 != "?" && $0 != "#" }
        guard let separator = url.firstRange(of: "://") else { return nil }
        scheme = url[..<separator.lowerBound].lowercased()
        let remainder = url[separator.upperBound...]
        let authority = remainder.prefix { $0 != "/" }
        guard let standard = Self.ports[scheme], !authority.contains("@"),
            let (host, port) = Self.split(authority, standard: standard),
            let path = Self.unescaped(remainder[authority.endIndex...])
        else { return nil }
        self.host = host
        self.port = port
        self.path = Self.withoutDots(path)
    }

    /// Returns whether both texts are URLs and equivalent.
    static func isEquivalent(_ uri: String, to other: String) -> Bool {
        guard let uri = TargetURI(uri), let other = TargetURI(other) else { return false }
        return uri == other
    }

    private static func split(_ authority: Substring, standard: UInt16) -> (host: String, port: UInt16)? {
        let isLiteral = authority.hasPrefix("[")
        guard let end = isLiteral ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.endIndex
        else { return nil }
        let host = isLiteral ? authority[..<end] : authority.prefix { $0 != ":" }
        let suffix = authority[host.endIndex...]
        guard !host.isEmpty, suffix.isEmpty || suffix.first == ":", let name = unescaped(host)?.lowercased() else {
            return nil
        }
        let digits = suffix.dropFirst()
        guard digits.allSatisfy(\.isWholeNumber), let port = digits.isEmpty ? standard : UInt16(digits) else {
            return nil
        }
        return (["127.0.0.1", "[::1]"].contains(name) ? "localhost" : name, port)
    }

    /// Decodes `%XX` of unreserved characters, and uses upper-case digits in all others.
    private static func unescaped(_ text: Substring) -> String? {
        var (result, remaining) = ("", text.utf8)
        while let byte = remaining.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            guard let high = remaining.popFirst(), let low = remaining.popFirst(),
                let digits = String(validating: [high, low], as: UTF8.self), digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            let scalar = Unicode.Scalar(value)
            let isUnreserved = scalar.isASCII && (scalar.properties.isAlphabetic || unreserved.contains(value))
            result += isUnreserved ? String(scalar) : "%\(digits.uppercased())"
        }
        return result
    }

    /// Removes dot segments (RFC 3986 section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var result: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default: result.append(segment)
            }
        }
        return "/" + result.joined(separator: "/")
    }
}
