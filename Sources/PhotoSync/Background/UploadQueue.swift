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
        /// The bytes of all contents.
        var bytes: Int64 = 0
        /// Lines in the file.
        var lines = 0

        mutating func set(_ upload: QueuedUpload) {
            remove(upload.md5)
            bytes += upload.entry.size
            uploads[upload.md5] = upload
        }

        mutating func remove(_ md5: ContentDigest) { bytes -= uploads.removeValue(forKey: md5)?.entry.size ?? 0 }
    }

    private let folder: String
    private let state: Mutex<State>
    /// Contents of which the file does not say for certain what was done: those with an address, because the process
    /// may have ended before it recorded more; those without a copy, as on a restored device; and all if lines of the
    /// file are damaged or of a newer version.
    let doubtful: Set<ContentDigest>

    private static let copySuffix = ".upload"
    /// The file is rewritten when it has this many lines more than twice those it needs.
    private static let spareLines = 1000

    /// Opens the queue in a folder, which is created if it does not exist. Removes what an interrupted process left.
    /// - Throws: `exists` while another process has it open.
    init(
        _ folder: String, write: @escaping JournalFile.Write = writeAll
    ) throws(FileError) {
        try LocalFolder.create(folder)
        let path = "\(folder)/queue"
        var opened = State(file: try JournalFile(path, write: write))
        var damaged = 0
        try JournalFile.forEachLine(of: path) { line in
            opened.lines += 1
            switch QueueRow(line: line) {
            case .upload(let upload): opened.set(upload)
            case .removed(let md5): opened.remove(md5)
            case nil: damaged += 1
            }
        }
        let uploads = opened.uploads
        let listing = try FileListing(folder)
        for name in listing.copies where uploads[name.md5] == nil { StateFile.remove("\(folder)/\(name.text)") }
        for name in listing.parts { StateFile.remove("\(folder)/\(name)") }
        let present = Set(listing.copies.map(\.md5))
        doubtful = Set(
            uploads.values.filter { damaged > 0 || $0.address != nil || !present.contains($0.md5) }.map(\.md5))
        self.folder = folder
        state = Mutex(opened)
    }

    var uploads: [ContentDigest: QueuedUpload] { state.withLock { $0.uploads } }

    func upload(of md5: ContentDigest) -> QueuedUpload? { state.withLock { $0.uploads[md5] } }

    func contains(_ md5: ContentDigest) -> Bool { upload(of: md5) != nil }

    /// The number of contents and their bytes.
    var total: (contents: Int, bytes: Int64) { state.withLock { ($0.uploads.count, $0.bytes) } }

    /// The path of a content's copy.
    func copy(of md5: ContentDigest) -> String { "\(folder)/\(md5)\(Self.copySuffix)" }

    /// The path at which a copy is written, until it is complete.
    func partialCopy(of md5: ContentDigest) -> String { "\(folder)/\(md5).part" }

    /// Adds a content whose partial copy is complete and on the disk.
    func add(_ entry: CatalogEntry) throws(FileError) {
        guard rename(partialCopy(of: entry.md5), copy(of: entry.md5)) == 0 else { throw .last }
        do throws(FileError) { try set([QueuedUpload(entry: entry, state: .planned)]) } catch {
            StateFile.remove(copy(of: entry.md5))
            throw error
        }
    }

    /// Records the states of contents.
    func set(_ changed: [QueuedUpload]) throws(FileError) {
        try append(changed.map { .upload($0) }) { state in
            for upload in changed { state.set(upload) }
        }
    }

    /// Removes contents with their copies.
    func remove(_ contents: [ContentDigest]) throws(FileError) {
        try append(contents.map { .removed($0) }) { state in
            for md5 in contents { state.remove(md5) }
        }
        for md5 in contents { StateFile.remove(copy(of: md5)) }
    }

    /// Lets another process open the queue, also while it is still referenced here.
    func close() { state.withLock { $0.file.unlock() } }

    private func append(
        _ rows: [QueueRow], _ change: (inout State) -> Void
    ) throws(FileError) {
        guard !rows.isEmpty else { return }
        try state.withLock { state throws(FileError) in
            try state.file.append(Self.bytes(of: rows))
            try state.file.sync()
            state.lines += rows.count
            change(&state)
            guard state.lines > 2 * state.uploads.count + Self.spareLines,
                // The lines are on the disk in any case. If it is full, a later change tries again.
                let file = try? state.file.replaced(with: Self.bytes(of: state.uploads.values.map { .upload($0) }))
            else { return }
            (state.file, state.lines) = (file, state.uploads.count)
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
