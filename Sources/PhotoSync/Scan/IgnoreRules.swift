/// Patterns of one place, of which the last one that matches a path decides.
package struct IgnoreRules: Sendable, Equatable {
    private let patterns: [IgnorePattern]

    /// The maximum length of an ignore file, in bytes.
    static let longestFile = 64 << 10

    package var isEmpty: Bool { patterns.isEmpty }

    package init() { patterns = [] }

    private init(_ patterns: [IgnorePattern]) { self.patterns = patterns }

    /// - Parameter text: Lines with one pattern each.
    /// - Throws: The number of the first line that is not a pattern, from 1.
    package init(text: some Collection<UInt8>) throws(MalformedLine) {
        var patterns: [IgnorePattern] = []
        // Editors of some systems begin a file with a byte order mark.
        let text = Array(text.starts(with: [0xef, 0xbb, 0xbf]) ? text.dropFirst(3) : text[...])
        for (number, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            do throws(IgnorePattern.Malformed) {
                if let pattern = try IgnorePattern(line: line) { patterns.append(pattern) }
            } catch { throw MalformedLine(number: number + 1) }
        }
        self.patterns = patterns
    }

    /// A line that is not a pattern.
    package struct MalformedLine: Error, Equatable {
        package let number: Int
    }

    /// Returns rules of which the given ones decide first.
    package func followed(by later: IgnoreRules) -> IgnoreRules { IgnoreRules(patterns + later.patterns) }

    /// Returns whether a path is ignored; `nil` if no pattern matches it.
    func verdict(on path: RelativePath, isFolder: Bool) -> Bool? {
        patterns.last { $0.matches(path, isFolder: isFolder) }.map { !$0.isNegated }
    }

    /// Folders and files that other software keeps beside photos: thumbnails, waste bins and files being written. A
    /// pattern with `!` in an ignore file includes them.
    static let standard = IgnoreRules(
        [
            // Synology, QNAP, and NAS systems in general.
            "@eaDir/", "\\#recycle/", "\\#snapshot/", "@Recycle/", "@Recently-Snapshot/", ".@__thumb/", ".snapshot/",
            // Windows, macOS and Linux.
            "$RECYCLE.BIN/", "System Volume Information/", "Thumbs.db", "desktop.ini", ".DS_Store", "._*", ".Trashes/",
            ".Trash/", ".Trash-*/", ".Spotlight-V100/", ".fseventsd/", "lost+found/", ".thumbnails/",
            // Android, Syncthing, and downloads of browsers.
            ".trashed-*", ".pending-*", ".stversions/", ".stfolder/", "*.part", "*.crdownload",
        ].compactMap { try? IgnorePattern(line: Array($0.utf8)[...]) })
}
