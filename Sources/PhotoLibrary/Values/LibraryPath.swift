/// Where a file stands in a library: its name with its folders, divided by `/`, relative to the library's folder.
///
/// Names are kept byte for byte as the file system gave them: two spellings of `é` are two names. A path never leaves
/// its folder: no empty segment, no `.` or `..`, no NUL, at most 255 bytes a segment and 4,096 in all. What begins with
/// `.photolala` is the library's own and no path.
package struct LibraryPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    /// Beginning of the names that are the library's own; no photo's path begins with it.
    static let ownNames = ".photolala"

    /// Checks a path that came from outside; gives `nil` for one that breaks the rule.
    package init?(_ path: some StringProtocol) {
        var text = String(path)
        guard text.withUTF8({ Self.isLegal($0) }) else { return nil }
        description = text
    }

    /// A path that was checked before.
    init(known path: String) { description = path }

    /// Whether text is a path; whether the bytes are text is not looked at.
    static func isLegal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...4096).contains(bytes.count), !bytes.starts(with: ownNames.utf8) else { return false }
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

    /// Bytes of a segment.
    private static let longestName = 255

    private static func isLegalSegment(length: Int, dots: Int) -> Bool {
        (1...longestName).contains(length) && (dots < length || dots > 2)
    }

    /// The folders on the way, outermost first.
    package var folders: [String] { segments.dropLast().map(String.init) }

    /// The folders on the way as one text, empty for none.
    package var folder: String {
        description.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(description[..<$0]) } ?? ""
    }

    /// Whether this is one of these places, or in a folder at one of them.
    func isAtOrBelow(_ places: Set<LibraryPath>) -> Bool {
        guard !places.isEmpty else { return false }
        return places.contains(self) || upperFolders.contains(where: places.contains)
    }

    /// The folders on the way as paths, the innermost first.
    var upperFolders: some Sequence<LibraryPath> {
        sequence(first: self) { LibraryPath($0.folder) }.dropFirst()
    }

    /// The last segment.
    package var name: String { segments.last.map(String.init) ?? description }

    private var segments: [Substring] {
        description.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The path of something inside a folder of this path; `nil` when that breaks the rule.
    package func appending(_ name: String) -> LibraryPath? { LibraryPath("\(description)/\(name)") }

    /// The same folder and ending with a remark behind the name: `a/b.jpg` and `copy` give `a/b (copy).jpg`. A name
    /// that would grow too long is cut at a character's border, and loses an ending that leaves no room for anything else.
    /// `nil` only where the path as a whole would be too long.
    package func remarked(_ remark: String) -> LibraryPath? {
        LibraryPath((folders + [remarkedName(remark).name]).joined(separator: "/"))
    }

    /// The same, but `nil` where the name has to be cut: names that are not cut give different results.
    func remarkedWhole(_ remark: String) -> LibraryPath? {
        let (name, isCut) = remarkedName(remark)
        return isCut ? nil : LibraryPath((folders + [name]).joined(separator: "/"))
    }

    /// The name alone with a remark.
    func remarkedName(_ remark: String) -> (name: String, isCut: Bool) {
        let name = name
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        var split = dot.flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let mark = " (\(remark))"
        var isCut = false
        if name[split...].utf8.count + mark.utf8.count >= Self.longestName { (split, isCut) = (name.endIndex, true) }
        var stem = String(name[..<split])
        let tail = mark + name[split...]
        while stem.utf8.count + tail.utf8.count > Self.longestName, !stem.isEmpty {
            stem.removeLast()
            isCut = true
        }
        return (stem + tail, isCut)
    }

    /// The path that a remark was put into; `nil` where it is not there. A name that was cut is not found again.
    func unremarked(_ remark: String) -> LibraryPath? {
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
