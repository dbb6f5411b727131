import NIOCore
import PhotoCatalog

/// The files below a folder of this device, as a source of dates. Unreadable files have no dates.
struct LocalDateSource: DateSource {
    let root: FolderRoot

    /// The number of bytes of a picture in which dates are searched.
    private static let headLength = 256 << 10

    func clues(of path: LibraryPath, type: MediaType) async throws -> CaptureClues? {
        try await read(path) { file throws(FileError) in
            MediaReading(head: try file.read(from: 0, count: Self.headLength), type: type).clues
        }
    }

    func sidecar(_ path: LibraryPath, limit: Int) async throws -> ByteBuffer? {
        try await read(path) { file throws(FileError) in
            let bytes = try file.read(from: 0, count: limit + 1)
            return bytes.readableBytes <= limit ? bytes : nil
        }
    }

    private func read<Value: Sendable>(
        _ path: LibraryPath, _ work: @escaping @Sendable (OpenFile) throws(FileError) -> Value?
    ) async throws -> Value? {
        let path = root.localPath(of: path)
        do throws(FileError) {
            return try await FileWork.run { () throws(FileError) in try work(OpenFile(path)) }
        } catch {
            guard error == .cancelled else { return nil }
            throw error
        }
    }
}

/// The dates of the folders with files that are being read. Each folder is kept until its last such file is closed.
struct OpenFolderDates {
    private let source: any DateSource
    private let zone: CaptureZone?
    private let limit: Timestamp
    private var folders: [[UInt8]: (dates: FolderDates, files: Int)] = [:]

    /// - Parameter limit: The latest plausible capture date.
    init(source: any DateSource, zone: CaptureZone?, until limit: Timestamp) {
        (self.source, self.zone, self.limit) = (source, zone, limit)
    }

    /// Opens the folders of some files.
    /// - Parameters:
    ///   - files: All files of these folders.
    ///   - wanted: The files that are read. Each of them must be closed once.
    mutating func open(_ files: [ScannedFile], reading wanted: [ScannedFile]) {
        let counts = Dictionary(wanted.map { (Self.key($0), 1) }, uniquingKeysWith: +)
        for (folder, files) in Dictionary(grouping: files, by: Self.key) {
            guard let count = counts[folder] else { continue }
            let dates = FolderDates(
                of: files.map { ($0.path, $0.type) }, source: source, zone: zone, until: limit)
            folders[folder] = (dates, count + (folders[folder]?.files ?? 0))
        }
    }

    /// Returns the dates of a file's folder.
    func dates(of file: ScannedFile) -> FolderDates? { folders[Self.key(file)]?.dates }

    /// Returns the key of a file's folder. It is compared by bytes: names in different Unicode normalization forms are
    /// different folders.
    private static func key(_ file: ScannedFile) -> [UInt8] { Array(file.path.folder.utf8) }

    /// Records that a file needs its folder's dates no longer.
    mutating func close(_ file: ScannedFile) {
        let folder = Self.key(file)
        guard let open = folders[folder] else { return }
        folders[folder] = open.files > 1 ? (open.dates, open.files - 1) : nil
    }
}
