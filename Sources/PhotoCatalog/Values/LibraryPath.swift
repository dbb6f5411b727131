/// The location of a file in a library: folder names and file name, separated by `/`, relative to the library's root
/// folder.
///
/// Names are stored byte for byte as in the file system: two Unicode forms of `é` are two names. A path never leaves
/// the root folder: no empty segment, no `.` or `..`, no NUL, at most 255 bytes per segment and 4,096 in total. Names
/// that begin with `.photolala` at the root are reserved for the library and are not valid paths.
package struct LibraryPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    /// The prefix of names that are reserved for the library; no photo's path begins with it.
    package static let reservedPrefix = ".photolala"

    /// Validates a path from outside; returns `nil` if it is invalid.
    package init?(_ path: some StringProtocol) {
        var text = String(path)
        guard text.withUTF8({ Self.isLegal($0) }) else { return nil }
        description = text
    }

    /// Creates a path that was validated before.
    package init(known path: String) { description = path }

    /// Returns whether bytes form a valid path; does not check that they are UTF-8.
    static func isLegal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...4096).contains(bytes.count), !bytes.starts(with: reservedPrefix.utf8) else { return false }
        var (start, dots) = (0, 0)
        for index in bytes.indices {
            switch bytes[index] {
            case 0: return false
            case UInt8(ascii: "/"):
                guard isLegalSegment(length: index - start, dots: dots) else { return false }
                (start, dots) = (index + 1, 0)
            case UInt8(ascii: "."): dots += 1
            default: continue
            }
        }
        return isLegalSegment(length: bytes.count - start, dots: dots)
    }

    /// The maximum length of a segment in bytes.
    private static let longestName = 255

    private static func isLegalSegment(length: Int, dots: Int) -> Bool {
        (1...longestName).contains(length) && (dots < length || dots > 2)
    }

    /// The names of the containing folders, outermost first.
    package var folders: [String] { segments.dropLast().map(String.init) }

    /// The path of the containing folder; empty for the root folder.
    package var folder: String {
        description.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(description[..<$0]) } ?? ""
    }

    /// Returns whether this path is one of the given paths, or in a folder at one of them.
    package func isAtOrBelow(_ folders: Set<LibraryPath>) -> Bool {
        guard !folders.isEmpty else { return false }
        return folders.contains(self) || ancestors.contains(where: folders.contains)
    }

    /// The paths of the containing folders, innermost first.
    package var ancestors: some Sequence<LibraryPath> {
        sequence(first: self) { LibraryPath($0.folder) }.dropFirst()
    }

    /// The last segment.
    package var name: String { segments.last.map(String.init) ?? description }

    private var segments: [Substring] {
        description.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// Returns the path of an item in a folder with this path; `nil` if it is invalid.
    package func appending(_ name: String) -> LibraryPath? { LibraryPath("\(description)/\(name)") }

    /// Returns the path with a remark added to the name: `a/b.jpg` and `copy` give `a/b (copy).jpg`. A name that would
    /// be too long is truncated at a character boundary, and its extension is treated as part of the name if it would
    /// leave no other characters. Returns `nil` only if the path as a whole would be too long.
    package func withRemark(_ remark: String) -> LibraryPath? {
        LibraryPath((folders + [nameWithRemark(remark).name]).joined(separator: "/"))
    }

    /// Returns the path with a remark; `nil` if the name would be truncated. Names that are not truncated give distinct
    /// results.
    func withFullRemark(_ remark: String) -> LibraryPath? {
        let (name, isCut) = nameWithRemark(remark)
        return isCut ? nil : LibraryPath((folders + [name]).joined(separator: "/"))
    }

    /// Returns only the name with a remark.
    func nameWithRemark(_ remark: String) -> (name: String, isCut: Bool) {
        let name = name
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        var split = dot.flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let suffix = " (\(remark))"
        var isCut = false
        if name[split...].utf8.count + suffix.utf8.count >= Self.longestName { (split, isCut) = (name.endIndex, true) }
        var stem = String(name[..<split])
        let tail = suffix + name[split...]
        while stem.utf8.count + tail.utf8.count > Self.longestName, !stem.isEmpty {
            stem.removeLast()
            isCut = true
        }
        return (stem + tail, isCut)
    }

    /// Returns the path without a remark; `nil` if it has no such remark. The original of a truncated name cannot be
    /// determined.
    func withoutRemark(_ remark: String) -> LibraryPath? {
        let (name, tail) = (name, " (\(remark))")
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let split = dot.flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        guard name[..<split].utf8.count > tail.utf8.count, name[..<split].hasSuffix(tail) else { return nil }
        let original = String(name[..<split].dropLast(tail.count) + name[split...])
        return LibraryPath((folders + [original]).joined(separator: "/"))
    }

    package static func < (left: LibraryPath, right: LibraryPath) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    package static func == (left: LibraryPath, right: LibraryPath) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
