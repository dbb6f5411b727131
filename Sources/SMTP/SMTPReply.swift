/// A reply of a mail server (RFC 5321 section 4.2).
struct SMTPReply: Sendable, Equatable {
    let code: Int
    /// The texts of its lines.
    let lines: [String]

    /// The first digit of the code: 2 for success, 3 for more input, 4 for a passing and 5 for a permanent failure.
    var kind: Int { code / 100 }

    /// The enhanced status code (RFC 3463), such as `5.7.1`; `nil` without one.
    var status: String? {
        guard let word = lines.last?.split(separator: " ").first else { return nil }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 1,
            parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        return String(word)
    }
}

/// Collects the lines of replies.
struct SMTPReplyParser {
    /// The largest number of lines of a reply.
    private static let maximumLines = 100

    private var code: Int?
    private var lines: [String] = []

    /// Whether more lines of a reply follow.
    var isInReply: Bool { code != nil }

    enum ParsingError: Error { case malformed }

    /// Adds a line without its end.
    /// - Returns: the reply that it completes; `nil` if more lines follow.
    mutating func add(_ line: String) throws(ParsingError) -> SMTPReply? {
        let bytes = line.utf8
        guard bytes.count >= 3, let code = Int(line.prefix(3)), (200...599).contains(code),
            self.code ?? code == code, lines.count < Self.maximumLines
        else { throw .malformed }
        let separator = bytes.dropFirst(3).first
        guard separator == nil || separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-") else {
            throw .malformed
        }
        lines.append(String(line.dropFirst(4)))
        guard separator != UInt8(ascii: "-") else {
            self.code = code
            return nil
        }
        defer { (self.code, lines) = (nil, []) }
        return SMTPReply(code: code, lines: lines)
    }
}
