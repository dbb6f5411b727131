import NIOCore
import PhotoCatalog

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A walk through a folder that finds its photos and videos, by content, and their sidecars.
///
/// Links are not followed, so loops and files outside the folder are excluded. Unreadable files are reported, and the
/// walk continues. Files whose name begins with `.photolala` belong to the library itself and are skipped. Ignored files
/// and folders are not opened.
package struct FolderScan: Sendable {
    /// The number of folders that are listed in parallel.
    static let parallelFolders = 4
    /// The number of names processed between checks for cancellation; a folder can have any number.
    private static let batch = 500

    private let root: String
    private let knownType: @Sendable (LibraryPath, FileFingerprint) -> MediaType?
    private let isNonMedia: @Sendable (LibraryPath, FileFingerprint) -> Bool
    /// Complete once all folders were listed.
    let ignores: FolderIgnores

    /// - Parameters:
    ///   - filter: The files to leave out, in addition to those that ignore files name.
    ///   - knownType: Returns the type of a file that is unchanged since it was last read, so that it need not be opened.
    ///   - isNonMedia: Returns whether an unchanged file was found not to belong to the library.
    package init(
        root: String, filter: FolderFilter = FolderFilter(),
        knownType: @escaping @Sendable (LibraryPath, FileFingerprint) -> MediaType? = { _, _ in nil },
        isNonMedia: @escaping @Sendable (LibraryPath, FileFingerprint) -> Bool = { _, _ in false }
    ) {
        self.root = root
        self.knownType = knownType
        self.isNonMedia = isNonMedia
        ignores = FolderIgnores(root: root, filter: filter)
    }

    /// A scan with the same ignored files that opens all others again.
    private init(reopening scan: FolderScan) {
        (root, knownType, ignores) = (scan.root, scan.knownType, scan.ignores)
        isNonMedia = { _, _ in false }
    }

    /// Returns whether a scan of a folder finds what is at a path in it: nothing on the way is ignored. Blocks.
    /// - Parameter root: The resolved path of the folder.
    package static func reaches(_ path: LibraryPath, isFolder: Bool, in root: String, filter: FolderFilter) -> Bool {
        let ignores = FolderIgnores(root: root, filter: filter)
        do throws(FileError) {
            try ignores.read(of: nil)
            for ancestor in path.ancestors { try ignores.read(of: ancestor) }
        } catch { return false }
        return isFolder ? !ignores.isIgnoredFolder(path) : !ignores.isIgnoredWithParents(path)
    }

    /// Walks the whole folder.
    /// - Throws: If the root folder cannot be read, or the task was cancelled.
    package func run() async throws(FileError) -> ScanResult {
        var result = ScanResult(try await all())
        result.sort()
        return result
    }

    /// Returns the content of all folders together, unsorted.
    /// - Throws: The same errors as `run`.
    func all() async throws(FileError) -> FolderContent {
        var all = FolderContent()
        do {
            try await withThrowingTaskGroup(of: FolderContent.self) { group in
                var pending: [LibraryPath?] = [nil]
                var running = 0
                while true {
                    while running < Self.parallelFolders, let folder = pending.popLast() {
                        group.addTask { try await descend(into: folder) }
                        running += 1
                    }
                    guard var content = try await group.next() else { return }
                    running -= 1
                    pending.append(contentsOf: content.folders)
                    content.folders = []
                    all.append(content)
                    all.clashes += content.clashes
                }
            }
        } catch {
            throw error as? FileError ?? .cancelled
        }
        return all
    }

    /// Returns the photos, videos and sidecars of one folder; `nil` is the root.
    package func files(in folder: LibraryPath?) async throws(FileError) -> [ScannedFile] {
        if let folder {
            let ignores = ignores
            try await FileWork.run { () throws(FileError) in
                try ignores.read(of: nil)
                for ancestor in folder.ancestors { try ignores.read(of: ancestor) }
            }
            if ignores.isIgnoredFolder(folder) { return [] }
        }
        return try await descend(into: folder).files
    }

    /// Returns the content of one folder; `nil` is the root. An unreadable folder is a problem in the result.
    /// - Throws: If the root folder cannot be read, or the task was cancelled.
    func descend(into folder: LibraryPath?) async throws(FileError) -> FolderContent {
        if Task.isCancelled { throw .cancelled }
        // The resolved path of the file system's root is an empty text, so that names can be appended to it.
        let path = folder.map { "\(root)/\($0)" } ?? (root.isEmpty ? "/" : root)
        let names: [[UInt8]]
        do throws(FileError) {
            let ignores = ignores
            names = try await FileWork.run { () throws(FileError) in
                let names = try FolderListing.names(of: path)
                if names.contains(Array(FolderIgnores.fileName.utf8)) { try ignores.read(of: folder) }
                return names
            }
        } catch {
            guard let folder, error != .cancelled else { throw error }
            var content = FolderContent()
            content.problems = [ScanProblem(path: folder.description, reason: .file(error))]
            return content
        }
        var content = try await inspectNames(at: names, in: folder)
        if let folder, names.contains(Array(FolderMarker.name.utf8)) { content.synced = [folder] }
        let again = content.resolveDeferred()
        if !again.isEmpty {
            content.append(try await FolderScan(reopening: self).inspectNames(at: again, in: folder))
        }
        content.dropStraySidecars()
        content.findClashes()
        return content
    }

    private func inspectNames(at names: [[UInt8]], in folder: LibraryPath?) async throws(FileError) -> FolderContent {
        var content = FolderContent()
        for start in stride(from: 0, to: names.count, by: Self.batch) {
            if Task.isCancelled { throw .cancelled }
            let some = names[start..<min(start + Self.batch, names.count)]
            content.append(try await FileWork.run { () throws(FileError) in inspectBatch(at: some, in: folder) })
        }
        return content
    }

    /// Reads the files with some names of a folder, as one unit of blocking work.
    private func inspectBatch(at names: ArraySlice<[UInt8]>, in folder: LibraryPath?) -> FolderContent {
        var content = FolderContent()
        for bytes in names where !bytes.starts(with: LibraryPath.reservedPrefix.utf8) {
            guard let name = LocalName.text(of: bytes),
                let path = folder.map({ $0.appending(name) }) ?? LibraryPath(name)
            else {
                content.problems.append(unusable(bytes, in: folder))
                continue
            }
            do {
                try inspectEntry(at: path, &content)
            } catch {
                var status = stat()
                let isFile = LocalName.withPath("\(root)/\(path)") { lstat($0, &status) } == 0 && status.isRegularFile
                content.problems.append(
                    ScanProblem(
                        path: path.description, reason: .file(error), size: isFile ? Int64(status.st_size) : nil))
            }
        }
        return content
    }

    /// Returns the problem of an unusable name, with the length of its file.
    private func unusable(_ name: [UInt8], in folder: LibraryPath?) -> ScanProblem {
        let shown = String(decoding: name, as: UTF8.self)
        var path = Array(LocalName.bytes(of: folder.map { "\(root)/\($0)" } ?? root).dropLast())
        path.append(UInt8(ascii: "/"))
        path.append(contentsOf: name)
        path.append(0)
        var status = stat()
        var size: Int64?
        if lstat(path.map(CChar.init(bitPattern:)), &status) == 0, !status.isFolder {
            size = status.isRegularFile ? Int64(status.st_size) : 0
        }
        return ScanProblem(path: folder.map { "\($0)/\(shown)" } ?? shown, reason: .unusableName, size: size)
    }

    private func inspectEntry(at path: LibraryPath, _ content: inout FolderContent) throws(FileError) {
        var status = stat()
        guard LocalName.withPath("\(root)/\(path)", { lstat($0, &status) }) == 0 else { throw .last }
        if ignores.isIgnored(path, isFolder: status.isFolder) {
            content.leftOut.append(LeftOutFile(path: path, reason: .ignored))
        } else if status.isFolder {
            content.folders.append(path)
        } else if !status.isRegularFile {
            content.leftOut.append(LeftOutFile(path: path, reason: status.isLink ? .link : .special))
        } else if status.st_size == 0 {
            content.leftOut.append(LeftOutFile(path: path, reason: .empty))
        } else if SidecarName(path.name) != nil, isNonMedia(path, FileFingerprint(status)),
            knownType(path, FileFingerprint(status)) == nil
        {
            content.deferred.append(path)
        } else if let type = try type(of: path, FileFingerprint(status), &content) {
            content.files.append(ScannedFile(path: path, fingerprint: FileFingerprint(status), type: type))
        } else {
            let reason: LeftOutFile.Reason =
                FileExtensions.isNamedLikeMedia(path.name) ? .unknownFormat : .noPhotoOrVideo
            content.leftOut.append(LeftOutFile(path: path, reason: reason))
        }
    }

    private func type(
        of path: LibraryPath, _ fingerprint: FileFingerprint, _ content: inout FolderContent
    ) throws(FileError) -> MediaType? {
        if let type = knownType(path, fingerprint) { return type }
        if isNonMedia(path, fingerprint) { return nil }
        if let type = try MediaType.read(from: OpenFile("\(root)/\(path)"), named: path.name, fingerprint) {
            return type
        }
        content.nonMedia.append((path, fingerprint))
        return nil
    }
}

extension MediaType {
    /// Returns the type from a file's first bytes and its name; `nil` if it does not belong to the library. Blocks.
    fileprivate static func read(
        from file: OpenFile, named name: String, _ fingerprint: FileFingerprint
    ) throws(FileError) -> MediaType? {
        sniffed(try file.read(from: 0, count: MediaSniffer.headLength), named: name, size: fingerprint.size)
    }
}

extension MediaType {
    /// Returns the type from a file's first bytes, its name and its size; `nil` if it does not belong to the library.
    static func sniffed(_ head: ByteBuffer, named name: String, size: Int64) -> MediaType? {
        if let type = MediaSniffer.type(head: head, name: name) { return type }
        guard let sidecar = SidecarName(name), size <= SidecarSniffer.longest,
            SidecarSniffer.accepts(head, as: sidecar.type)
        else { return nil }
        return sidecar.type
    }
}

extension ScannedFile {
    /// Returns whether an opened file is not empty and has the same type as this one. Blocks.
    func isSameKind(as file: OpenFile, _ fingerprint: FileFingerprint) throws(FileError) -> Bool {
        guard fingerprint.size > 0 else { return false }
        return try MediaType.read(from: file, named: path.name, fingerprint) == type
    }
}

extension ScanResult {
    init(_ content: FolderContent) {
        self.init(
            files: content.files, problems: content.problems, leftOut: content.leftOut, clashes: content.clashes
        )
        for file in content.nonMedia { nonMedia[file.path] = file.fingerprint }
    }

    mutating func sort() {
        files.sort { $0.path < $1.path }
        leftOut.sort { $0.path < $1.path }
        problems.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        clashes.sort { $0.paths[0] < $1.paths[0] }
    }
}
