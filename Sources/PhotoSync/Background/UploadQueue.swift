import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The contents that wait for their upload, with a copy of each: a system uploads files, and the original may change or
/// be in a library of the system. Every change is on the disk before its method returns. All calls block.
final class UploadQueue: Sendable {
    private struct State {
        var file: JournalFile
        var uploads: [ContentDigest: QueuedUpload] = [:]
        /// Lines in the file.
        var lines = 0
    }

    private let folder: String
    private let state: Mutex<State>

    private static let copySuffix = ".upload"
    /// The file is rewritten when it has this many lines more than twice those it needs.
    private static let spareLines = 1000

    /// Opens the queue in a folder, which is created if it does not exist. Removes what an interrupted process left.
    /// - Throws: `exists` while another process has it open.
    init(_ folder: String) throws(FileError) {
        try LocalFolder.create(folder)
        let path = "\(folder)/queue"
        var opened = State(file: try JournalFile(path))
        var (uploads, lines) = ([ContentDigest: QueuedUpload](), 0)
        try JournalFile.forEachLine(of: path) { line in
            lines += 1
            switch QueueRow(line: line) {
            case .upload(let upload): uploads[upload.md5] = upload
            case .removed(let md5): uploads[md5] = nil
            case nil: return
            }
        }
        (opened.uploads, opened.lines) = (uploads, lines)
        self.folder = folder
        state = Mutex(opened)
        let listing = try FileListing(folder)
        for name in listing.copies where uploads[name.md5] == nil { StateFile.remove("\(folder)/\(name.text)") }
        for name in listing.parts { StateFile.remove("\(folder)/\(name)") }
        // A restored device may have the queue without the copies.
        let present = Set(listing.copies.map(\.md5))
        try remove(uploads.keys.filter { !present.contains($0) })
    }

    var uploads: [ContentDigest: QueuedUpload] { state.withLock { $0.uploads } }

    /// The path of a content's copy.
    func copy(of md5: ContentDigest) -> String { "\(folder)/\(md5)\(Self.copySuffix)" }

    /// The path at which a copy is written, until it is complete.
    func partialCopy(of md5: ContentDigest) -> String { "\(folder)/\(md5).part" }

    /// Adds a content whose partial copy is complete and on the disk.
    func add(_ entry: CatalogEntry) throws(FileError) {
        guard rename(partialCopy(of: entry.md5), copy(of: entry.md5)) == 0 else { throw .last }
        try set([QueuedUpload(entry: entry, state: .planned)])
    }

    /// Records the states of contents.
    func set(_ changed: [QueuedUpload]) throws(FileError) {
        try append(changed.map { .upload($0) }) { uploads in
            for upload in changed { uploads[upload.md5] = upload }
        }
    }

    /// Removes contents with their copies.
    func remove(_ contents: [ContentDigest]) throws(FileError) {
        try append(contents.map { .removed($0) }) { uploads in
            for md5 in contents { uploads[md5] = nil }
        }
        for md5 in contents { StateFile.remove(copy(of: md5)) }
    }

    /// Lets another process open the queue, also while it is still referenced here.
    func close() { state.withLock { $0.file.unlock() } }

    private func append(
        _ rows: [QueueRow], _ change: (inout [ContentDigest: QueuedUpload]) -> Void
    ) throws(FileError) {
        guard !rows.isEmpty else { return }
        try state.withLock { state throws(FileError) in
            try state.file.append(Self.bytes(of: rows))
            try state.file.sync()
            state.lines += rows.count
            change(&state.uploads)
            guard state.lines > 2 * state.uploads.count + Self.spareLines else { return }
            state.file = try state.file.replaced(with: Self.bytes(of: state.uploads.values.map { .upload($0) }))
            state.lines = state.uploads.count
        }
    }

    private static func bytes(of rows: [QueueRow]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for row in rows { bytes.writeBytes(row.line) }
        return bytes
    }

    /// The files of the queue's folder, apart from the queue itself.
    private struct FileListing {
        var copies: [(text: String, md5: ContentDigest)] = []
        var parts: [String] = []

        init(_ folder: String) throws(FileError) {
            for name in try FolderListing.names(of: folder) {
                guard let text = LocalName.text(of: name) else { continue }
                if text.hasSuffix(UploadQueue.copySuffix),
                    let md5 = ContentDigest(text.dropLast(UploadQueue.copySuffix.count))
                {
                    copies.append((text, md5))
                } else if text.hasSuffix(".part") {
                    parts.append(text)
                }
            }
        }
    }
}

/// A file that is written from its beginning. All calls block.
final class CopyFile: Sendable {
    private let descriptor: CInt

    init(_ path: String) throws(FileError) {
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    func append(_ bytes: ByteBuffer) throws(FileError) { try writeAll(bytes, to: descriptor) }

    func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
