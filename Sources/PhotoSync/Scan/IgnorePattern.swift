/// A pattern for file names, with the syntax of a line in `.gitignore` (git 2.39, gitignore(5)), except that ASCII letters
/// match in both cases: cameras write `IMG_0001.JPG`.
///
/// Matching takes at most the product of the lengths of pattern and path.
struct IgnorePattern: Sendable, Equatable {
    /// A part of a pattern between slashes.
    private enum Segment: Sendable, Equatable {
        /// `**`: any number of folders.
        case folders
        case name([Element])
    }

    private enum Element: Sendable, Equatable {
        case byte(UInt8)
        /// `?`: one character.
        case any
        /// `*`: any number of characters.
        case star
        /// `[a-z]`, or `[!a-z]` for all others.
        case oneOf(ranges: [ClosedRange<UInt8>], isNegated: Bool)
    }

    /// The pattern is not valid.
    struct Malformed: Error {}

    /// Whether the pattern starts with `!`: it excludes what it matches from earlier patterns.
    let isNegated: Bool
    /// Whether the pattern has a slash before its end, so that it matches only paths from its own folder.
    private let isAnchored: Bool
    /// Whether the pattern ends with `/`.
    private let matchesOnlyFolders: Bool
    private let segments: [Segment]

    /// - Parameter line: A line without its end.
    /// - Returns: `nil` for an empty line or a comment.
    /// - Throws: For a bracket without its end, an unknown class such as `[:word:]`, a `\` at the end, a NUL byte, or a
    ///   pattern for nothing, such as `/`.
    init?(line: ArraySlice<UInt8>) throws(Malformed) {
        var bytes = Self.withoutTrailingSpaces(line)
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        // No name has a NUL byte; a text in UTF-16 has many.
        guard !bytes.contains(0) else { throw Malformed() }
        isNegated = first == UInt8(ascii: "!")
        if isNegated { bytes.removeFirst() }
        matchesOnlyFolders = bytes.last == UInt8(ascii: "/")
        if matchesOnlyFolders { bytes.removeLast() }
        isAnchored = bytes.contains(UInt8(ascii: "/"))
        if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
        var segments: [Segment] = []
        for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let isFolders = isAnchored && part.elementsEqual("**".utf8)
            segments.append(isFolders ? .folders : .name(try Self.elements(of: part)))
        }
        // A pattern that ends with `/**` matches what is in a folder, not the folder.
        if segments.last == .folders { segments.append(.name([.star])) }
        guard !segments.contains(.name([])) else { throw Malformed() }
        self.segments = segments
    }

    /// Returns whether the pattern matches a path.
    func matches(_ path: RelativePath, isFolder: Bool) -> Bool {
        if matchesOnlyFolders, !isFolder { return false }
        guard isAnchored else {
            guard case .name(let elements) = segments[0] else { return false }
            // Most names do not begin like a pattern.
            if case .byte(let first) = elements[0], let byte = path.name.first, Self.lowercased(byte) != first {
                return false
            }
            return Self.matches(elements, path.name)
        }
        return matches(path.names)
    }

    private func matches(_ path: [Substring.UTF8View]) -> Bool {
        // Only the last `**` can match differently than before, so one place to return to is enough.
        var (segment, name) = (0, 0)
        var retry: (segment: Int, name: Int)?
        while name < path.count {
            if segment < segments.count {
                if segments[segment] == .folders {
                    retry = (segment + 1, name)
                    segment += 1
                    continue
                }
                if case .name(let elements) = segments[segment], Self.matches(elements, path[name]) {
                    (segment, name) = (segment + 1, name + 1)
                    continue
                }
            }
            guard let last = retry else { return false }
            retry = (last.segment, last.name + 1)
            (segment, name) = (last.segment, last.name + 1)
        }
        return segment == segments.count
    }

    private static func matches(_ elements: [Element], _ name: Substring.UTF8View) -> Bool {
        var (element, index) = (0, name.startIndex)
        var retry: (element: Int, index: Substring.UTF8View.Index)?
        while index < name.endIndex {
            if element < elements.count {
                if elements[element] == .star {
                    retry = (element + 1, index)
                    element += 1
                    continue
                }
                if let next = matches(elements[element], name, at: index) {
                    (element, index) = (element + 1, next)
                    continue
                }
            }
            guard let last = retry else { return false }
            let next = name.index(after: last.index)
            retry = (last.element, next)
            (element, index) = (last.element, next)
        }
        return elements[element...].allSatisfy { $0 == .star }
    }

    /// Returns the end of what an element matches at an index; `nil` if it matches nothing there.
    private static func matches(
        _ element: Element, _ name: Substring.UTF8View, at index: Substring.UTF8View.Index
    ) -> Substring.UTF8View.Index? {
        let byte = name[index]
        let isMatch =
            switch element {
            case .byte(let expected): lowercased(byte) == expected
            case .any: true
            case .star: false
            case .oneOf(let ranges, let isNegated):
                ranges.contains { $0.contains(lowercased(byte)) || $0.contains(uppercased(byte)) } != isNegated
            }
        guard isMatch else { return nil }
        var next = name.index(after: index)
        // A character may have several bytes, of which all but the first begin with the bits 10.
        if case .byte = element { return next }
        while next < name.endIndex, name[next] & 0xc0 == 0x80 { next = name.index(after: next) }
        return next
    }

    private static func elements(of text: ArraySlice<UInt8>) throws(Malformed) -> [Element] {
        var (elements, remaining) = ([Element](), text)
        while let byte = remaining.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = remaining.popFirst() else { throw Malformed() }
                elements.append(.byte(lowercased(next)))
            case UInt8(ascii: "*"): if elements.last != .star { elements.append(.star) }
            case UInt8(ascii: "?"): elements.append(.any)
            case UInt8(ascii: "["): elements.append(try bracket(&remaining))
            default: elements.append(.byte(lowercased(byte)))
            }
        }
        return elements
    }

    /// Parses what follows a `[`.
    private static func bracket(_ remaining: inout ArraySlice<UInt8>) throws(Malformed) -> Element {
        let isNegated = remaining.first == UInt8(ascii: "!") || remaining.first == UInt8(ascii: "^")
        if isNegated { remaining.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        while var low = remaining.popFirst() {
            // A bracket at the beginning is part of the set.
            if low == UInt8(ascii: "]"), !ranges.isEmpty { return .oneOf(ranges: ranges, isNegated: isNegated) }
            if low == UInt8(ascii: "["), remaining.first == UInt8(ascii: ":") {
                ranges += try characterClass(&remaining)
                continue
            }
            if low == UInt8(ascii: "\\") {
                guard let next = remaining.popFirst() else { throw Malformed() }
                low = next
            }
            var high = low
            if remaining.first == UInt8(ascii: "-"), let end = remaining.dropFirst().first, end != UInt8(ascii: "]") {
                remaining.removeFirst(2)
                high = end
                if end == UInt8(ascii: "\\") {
                    guard let next = remaining.popFirst() else { throw Malformed() }
                    high = next
                }
            }
            // Sets of ASCII characters only: a character of several bytes would be several members.
            guard low <= high, high < 0x80 else { throw Malformed() }
            ranges.append(low...high)
        }
        throw Malformed()
    }

    /// Parses what follows the `[` of `[:alpha:]`. A `[:` without `:]` is two members of the set.
    private static func characterClass(
        _ remaining: inout ArraySlice<UInt8>
    ) throws(Malformed) -> [ClosedRange<UInt8>] {
        let rest = remaining.dropFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > rest.startIndex,
            rest[end - 1] == UInt8(ascii: ":")
        else { return [UInt8(ascii: "[")...UInt8(ascii: "[")] }
        guard let ranges = characterClasses[String(decoding: rest[..<(end - 1)], as: UTF8.self)] else {
            throw Malformed()
        }
        remaining = rest[(end + 1)...]
        return ranges
    }

    /// The classes of POSIX for ASCII.
    private static let characterClasses: [String: [ClosedRange<UInt8>]] = [
        "alnum": [48...57, 65...90, 97...122], "alpha": [65...90, 97...122], "blank": [9...9, 32...32],
        "cntrl": [0...31, 127...127], "digit": [48...57], "graph": [33...126], "lower": [97...122], "print": [32...126],
        "punct": [33...47, 58...64, 91...96, 123...126], "space": [9...13, 32...32], "upper": [65...90],
        "xdigit": [48...57, 65...70, 97...102],
    ]

    private static func withoutTrailingSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        while bytes.last == UInt8(ascii: " ") {
            let before = bytes.dropLast()
            let isEscaped = before.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
            if isEscaped { break }
            bytes = before
        }
        return bytes
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
    }
}

/// The path of a file or folder below the folder of some patterns.
struct RelativePath {
    private let text: Substring
    /// The last segment.
    let name: Substring.UTF8View

    /// - Parameter path: The path without an empty segment.
    init(_ path: Substring) {
        text = path
        let bytes = path.utf8
        name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[bytes.index(after: $0)...] } ?? bytes
    }

    /// The segments, outermost first.
    var names: [Substring.UTF8View] { text.utf8.split(separator: UInt8(ascii: "/")) }
}
