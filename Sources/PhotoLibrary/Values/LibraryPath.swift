/// Where a file stands in a library: its name with its folders, divided by `/`, relative to the library's folder.
///
/// Names are kept byte for byte as the file system gave them: two spellings of `é` are two names. A path never leaves
/// its folder: no empty segment, no `.` or `..`, no NUL, at most 255 bytes a segment and 4,096 in all.
package struct LibraryPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    /// Checks a path that came from outside; gives `nil` for one that breaks the rule.
    package init?(_ path: some StringProtocol) {
        let bytes = path.utf8
        guard (1...4096).contains(bytes.count), !bytes.contains(0) else { return nil }
        for segment in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard (1...255).contains(segment.count), !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8)
            else { return nil }
        }
        description = String(path)
    }

    /// The folders on the way, outermost first.
    package var folders: [String] { segments.dropLast().map(String.init) }

    /// The last segment.
    package var name: String { segments.last.map(String.init) ?? description }

    private var segments: [Substring] {
        description.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The path of something inside a folder of this path; `nil` when that breaks the rule.
    package func appending(_ name: String) -> LibraryPath? { LibraryPath("\(description)/\(name)") }

    /// The same folder and ending with a remark behind the name: `a/b.jpg` and `copy` give `a/b (copy).jpg`. A name
    /// that would grow too long is cut at a character's border.
    package func remarked(_ remark: String) -> LibraryPath? {
        let name = name
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let split = dot.flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        var stem = String(name[..<split])
        let tail = " (\(remark))\(name[split...])"
        while stem.utf8.count + tail.utf8.count > 255, !stem.isEmpty { stem.removeLast() }
        return LibraryPath((folders + [stem + tail]).joined(separator: "/"))
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
