import NIOCore
import PhotoCatalog

/// What a reader has examined and need not read again: contents in which it found nothing, or not everything, or versions of
/// stored pictures that it found usable. The file has the reader's version in its first line, and then an MD5 in each.
struct ExaminedContents: Sendable {
    let version: String
    var contents: Set<ContentDigest> = []
    private var saved: Set<ContentDigest> = []

    init(version: String) { self.version = version }

    /// Loads the contents; none if the file cannot be read, or is of another version.
    static func load(_ path: String, version: String) async -> ExaminedContents {
        var found = ExaminedContents(version: version)
        let bytes = try? await FileWork.run { () throws(FileError) in try StateFile.read(path) }
        guard let bytes else { return found }
        var lines = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == found.line[...] else { return found }
        lines.removeFirst()
        found.contents = Set(lines.compactMap { ContentDigest($0) })
        found.saved = found.contents
        return found
    }

    /// Stores the contents, if they changed. After a failure they are examined again.
    mutating func save(to path: String) async {
        guard contents != saved else { return }
        let text = ([line] + contents.sorted().map(\.description)).joined(separator: "\n")
        do {
            try await FileWork.runUncancelled { () throws(FileError) in
                try StateFile.replace(path, with: ByteBuffer(string: text))
            }
            saved = contents
        } catch {}
    }

    private var line: String { version.split(separator: "\n").joined(separator: " ") }
}
