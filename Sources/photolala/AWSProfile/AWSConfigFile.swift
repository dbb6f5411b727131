import Foundation

/// A configuration file of AWS programs. A change of one profile keeps every other byte.
struct AWSConfigFile {
    /// A profile in the file.
    private struct Section {
        /// From the header to the last line that is not empty or a comment.
        var lines: Range<Int>
        /// Whether it has only settings of `AWSProfile`.
        var isOwn: Bool
    }

    /// Lines with their ends.
    private var lines: [[UInt8]]

    init(_ bytes: Data) {
        lines = Self.lines(of: bytes)
    }

    var bytes: Data { Data(lines.joined()) }

    /// Adds a profile, or replaces it.
    /// - Parameters:
    ///   - text: The whole profile, with its header.
    ///   - replacing: Whether it may have been written by another program or by hand.
    mutating func set(_ name: String, to text: String, replacing: Bool) throws(CommandFailure) {
        let new = Self.lines(of: Data((text + "\n").utf8))
        if let section = try section(name, permitsForeign: replacing) {
            lines.replaceSubrange(section.lines, with: new)
            return
        }
        if let last = lines.indices.last, lines[last].last != 0x0a { lines[last].append(0x0a) }
        let isSeparate = lines.last.map { Self.text($0).isEmpty } ?? true
        lines += isSeparate ? new : [[0x0a]] + new
    }

    /// Removes a profile and the empty line before it.
    /// - Returns: Whether there was one.
    mutating func remove(_ name: String, replacing: Bool) throws(CommandFailure) -> Bool {
        guard var range = try section(name, permitsForeign: replacing)?.lines else { return false }
        if range.lowerBound > 0, Self.text(lines[range.lowerBound - 1]).isEmpty {
            range = range.lowerBound - 1..<range.upperBound
        }
        lines.removeSubrange(range)
        return true
    }

    private func section(_ name: String, permitsForeign: Bool) throws(CommandFailure) -> Section? {
        let starts = lines.indices.filter { Self.profile(of: lines[$0]) == name }
        guard let start = starts.first else { return nil }
        guard starts.count == 1 else { throw CommandFailure("The file has the profile \(name) more than once.") }
        let next = lines.indices.dropFirst(start + 1).first { lines[$0].first == UInt8(ascii: "[") }
        var end = next ?? lines.endIndex
        while end > start + 1, Self.isBlank(lines[end - 1]) { end -= 1 }
        let settings = lines[start + 1..<end]
        let section = Section(lines: start..<end, isOwn: AWSProfile.isWritten(settings.map(Self.untrimmed)))
        guard section.isOwn || permitsForeign else {
            let replace = SuggestedCommand.text("photolala aws-profile --replace ?", name)
            throw CommandFailure(
                "The profile \(name) exists and has other settings than this command writes.",
                advice: ["Choose another name, or replace it:  \(replace)"])
        }
        return section
    }

    /// Returns the name in the header of a profile; `nil` for other lines.
    private static func profile(of line: [UInt8]) -> String? {
        let text = text(line)
        guard line.first == UInt8(ascii: "["), let end = text.firstIndex(of: "]") else { return nil }
        let words = text[text.index(after: text.startIndex)..<end]
            .split(maxSplits: 1, whereSeparator: \.isWhitespace).map { $0.trimmingCharacters(in: .whitespaces) }
        if words == ["default"] { return "default" }
        guard words.count == 2, words[0] == "profile" else { return nil }
        return words[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
    }

    /// Splits text into lines with their ends.
    private static func lines(of bytes: Data) -> [[UInt8]] {
        var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { Array($0) + [0x0a] }
        lines[lines.count - 1].removeLast()
        if lines.last == [] { lines.removeLast() }
        return lines
    }

    private static func isBlank(_ line: [UInt8]) -> Bool {
        let text = text(line)
        return text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";")
    }

    private static func untrimmed(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

    private static func text(_ line: [UInt8]) -> String {
        untrimmed(line).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
