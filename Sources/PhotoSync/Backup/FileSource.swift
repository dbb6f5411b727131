import NIOCore
import ObjectStorage
import PhotoCatalog

/// The files that a backup reads: those of a folder, or the resources of a source's assets.
protocol FileSource: Sendable {
    /// The date information of the files.
    var dateSource: any DateSource { get }

    /// Returns the content of one folder; `nil` is the root, which is listed first. An unreadable folder is a problem
    /// in the result.
    /// - Throws: If the root cannot be read, or the task was cancelled.
    func content(of folder: LibraryPath?) async throws(BackupError) -> FolderContent

    /// Returns all files, without the order of `content(of:)`.
    func allFiles() async throws(BackupError) -> ScanResult

    /// Reads a file.
    /// - Parameters:
    ///   - buffers: Hold the bytes of files that are small enough. If `nil`, no bytes are held.
    ///   - dates: Determines the capture date. If `nil`, the result has no capture date.
    ///   - report: Receives `downloading` for a file that is not on this device.
    func read(
        _ file: ScannedFile, buffers: FileBufferPool?, dates: FolderDates?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> FileReading

    /// Returns the bytes of a file that was read and is not held, for its upload. They are verified while they are
    /// read.
    /// - Parameter reportSent: Called with the number of bytes read so far.
    func body(
        of file: ScannedFile, _ inspection: FileInspection, reportSent: @escaping @Sendable (Int64) -> Void
    ) -> ObjectBody

    /// Throws the reason if the file cannot be read, after an upload whose body failed: the file or the store can be
    /// the cause.
    func checkReadable(_ file: ScannedFile) async throws(BackupFailure)

    /// Returns the path of a file in the file system; `nil` if it has none.
    func localPath(of file: ScannedFile) -> String?

    /// Returns the picture that the source itself has of a file without a path; `nil` if there is none. It is not checked.
    /// - Parameter facts: The dimensions of the photo decide those of its thumbnail.
    /// - Throws: `changedWhileRead` if the picture may be that of another version.
    func picture(
        _ kind: PictureKind, of file: ScannedFile, _ facts: MediaFacts
    ) async throws(BackupFailure) -> ByteBuffer?

    /// The problem if there are no files any more.
    var emptied: ScanProblem { get }

    /// Why no more files can be read; `nil` if others may be readable.
    var unavailability: SourceError? { get }
}

/// The result of reading a file.
enum FileReading: Sendable {
    /// A photo, video or sidecar, with the size and type that were found.
    case media(ScannedFile, FileInspection)
    /// The bytes do not belong to the library.
    case leftOut(LeftOutFile.Reason, FileFingerprint)
}

/// The files of a folder, at their paths in the library.
struct FolderFiles: FileSource {
    private let root: FolderRoot
    /// Its paths are those in the folder.
    let scan: FolderScan

    /// - Parameter journal: The files that it records are not opened while the folder is listed.
    init(root: FolderRoot, filter: FolderFilter, journal: BackupJournal) {
        self.root = root
        scan = FolderScan(
            root: root.path, filter: filter,
            knownType: { path, fingerprint in
                root.libraryPath(of: path).flatMap { journal.unchanged($0, fingerprint)?.type }
            },
            isNonMedia: { path, fingerprint in
                root.libraryPath(of: path).map { journal.isNonMedia($0, fingerprint) } ?? false
            })
    }

    var dateSource: any DateSource { LocalDateSource(root: root) }
    var emptied: ScanProblem { .emptied }
    var unavailability: SourceError? { nil }

    func content(of folder: LibraryPath?) async throws(BackupError) -> FolderContent {
        do {
            return try await scan.descend(into: folder.flatMap(root.below)).moved(from: root)
        } catch { throw BackupError(error) }
    }

    func allFiles() async throws(BackupError) -> ScanResult {
        do {
            var result = ScanResult(try await scan.all().moved(from: root))
            result.sort()
            return result
        } catch { throw BackupError(error) }
    }

    func read(
        _ file: ScannedFile, buffers: FileBufferPool?, dates: FolderDates?,
        report: @escaping @Sendable (BackupEvent) -> Void
    ) async throws(BackupFailure) -> FileReading {
        .media(file, try await FileInspection.read(file, at: path(of: file), buffers: buffers, dates: dates))
    }

    func body(
        of file: ScannedFile, _ inspection: FileInspection, reportSent: @escaping @Sendable (Int64) -> Void
    ) -> ObjectBody {
        let chunks = VerifiedFileBody(
            path: path(of: file), fingerprint: inspection.fingerprint, md5: inspection.md5, reportSent: reportSent)
        return ObjectBody(size: inspection.fingerprint.size, chunks: chunks)
    }

    func checkReadable(_ file: ScannedFile) async throws(BackupFailure) {
        let path = path(of: file)
        do {
            _ = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
        } catch {
            throw .file(error)
        }
    }

    func localPath(of file: ScannedFile) -> String? { path(of: file) }

    /// Pictures of a folder's files are made from the files.
    func picture(
        _ kind: PictureKind, of file: ScannedFile, _ facts: MediaFacts
    ) async throws(BackupFailure) -> ByteBuffer? { nil }

    private func path(of file: ScannedFile) -> String { root.localPath(of: file.path) }
}

extension BackupError {
    init(_ error: FileError) { self = error == .cancelled ? .cancelled : .folder(error) }

    /// - Parameter path: The file, or the folder, of this device's state.
    init(state error: FileError, at path: String) {
        self = error == .cancelled ? .cancelled : .state(error, path: path)
    }
}
