/// A first-in, first-out queue of files.
struct FileQueue: Sendable {
    private var files: [ScannedFile] = []
    private var taken = 0

    var count: Int { files.count - taken }
    var isEmpty: Bool { taken == files.count }

    mutating func append(_ more: [ScannedFile]) {
        // Removes consumed files before more are appended.
        files.removeSubrange(..<taken)
        taken = 0
        files += more
    }

    mutating func popFirst() -> ScannedFile? {
        guard taken < files.count else { return nil }
        defer { taken += 1 }
        return files[taken]
    }
}
