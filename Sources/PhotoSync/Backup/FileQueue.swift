/// A first-in, first-out queue of files.
struct FileQueue: Sendable {
    private var files: [ScannedFile] = []
    private var nextIndex = 0

    var count: Int { files.count - nextIndex }
    var isEmpty: Bool { nextIndex == files.count }

    mutating func append(_ more: [ScannedFile]) {
        // Removes consumed files before more are appended.
        files.removeSubrange(..<nextIndex)
        nextIndex = 0
        files += more
    }

    mutating func popFirst() -> ScannedFile? {
        guard nextIndex < files.count else { return nil }
        defer { nextIndex += 1 }
        return files[nextIndex]
    }
}
