import ArgumentParser
import PhotolalaClient

/// A folder of a backup, with the only files to back up in it.
struct BackupSource: Equatable {
    let folder: String
    /// The only files, by their paths in the folder; `nil` for all.
    var files: [String]?

    /// A given path whose photos are backed up with another given folder.
    struct Repetition: Equatable {
        let path: String
        let folder: String

        var notice: String {
            let (path, folder) = (Terminal.sanitized(path), Terminal.sanitized(folder))
            return path == folder ? "\(path) is given twice." : "\(path) is backed up as a part of \(folder)."
        }
    }

    /// Returns the given paths without those that a backup of another one includes, or that repeat one.
    static func distinct(
        _ paths: [String], patterns: FolderPatterns
    ) -> (paths: [String], repetitions: [Repetition]) {
        let locations = paths.map(LocalPath.location)
        let folders = paths.indices.filter { locations[$0]?.kind == .folder }
        var (distinct, repetitions): ([String], [Repetition]) = ([], [])
        for (index, path) in paths.enumerated() {
            let location = locations[index]
            let other = folders.first { other in
                guard let location, let folder = locations[other]?.path else { return false }
                return folder == location.path
                    ? other < index : LocalPath.isIncluded(location, in: folder, patterns: patterns)
            }
            if let other {
                repetitions.append(Repetition(path: path, folder: paths[other]))
            } else {
                distinct.append(path)
            }
        }
        return (distinct, repetitions)
    }

    /// Returns the sources for some folders and files, in their order. Files are those of their folder.
    static func sources(of paths: [String]) -> [BackupSource] {
        var sources: [BackupSource] = []
        for path in paths {
            guard LocalPath.kind(of: path) == .file else {
                sources.append(BackupSource(folder: path))
                continue
            }
            let (folder, name) = split(path)
            if let index = sources.firstIndex(where: { $0.folder == folder && $0.files != nil }) {
                sources[index].files?.append(name)
            } else {
                sources.append(BackupSource(folder: folder, files: [name]))
            }
        }
        return sources
    }

    /// What to know before a part of a synced folder is backed up without a place in the library: the sync has the photos at
    /// other paths. `nil` for other folders.
    var syncedFolderNotice: String? {
        guard let (synced, rest) = LocalPath.syncedFolder(around: folder) else { return nil }
        let name = Terminal.sanitized(folder)
        let (sync, into) = (
            SuggestedCommand.text("photolala sync ?", synced), SuggestedCommand.option("--into", rest)
        )
        return """
            \(name) is in the synced folder \(Terminal.sanitized(synced)). This backup lists its photos at the root of the \
            library, beside the paths of the sync. To use these:  \(sync)  or add  \(into)
            """
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }
}

/// The place of a backup's photos in the library.
struct DestinationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the library for the photos, such as Phones/Bob. Default: the root of the library.",
            valueName: "folder"))
    var into: String?

    func validate() throws {
        try TextChecks.check(into, of: "--into", expects: "a folder of the library")
        do throws(PhotolalaError) { _ = try selection() } catch { throw ValidationError(error.detail) }
    }

    /// - Parameter name: The name of a folder at the destination.
    func destination(_ name: String? = nil) -> String? {
        var parts = into.map { [$0] } ?? []
        while parts.first?.hasSuffix("/") == true { parts[0].removeLast() }
        if let name { parts.append(name) }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    private func selection() throws(PhotolalaError) -> FolderSelection {
        var selection = FolderSelection()
        selection.destination = destination()
        try selection.check()
        return selection
    }
}
