import ForeignExports
import NIOCore
import PhotoCatalog

/// The photos of an export, as the source of a backup. The backup uploads them with all it does for a device's photos:
/// quota, equal contents once, capture dates, thumbnails and resumption.
struct ForeignExportSource: AssetSource {
    private let files: ForeignExportFiles
    private let items: [ForeignItem]
    private let all: [SourceAsset]
    private let indices: [String: Int]

    /// - Parameters:
    ///   - name: The name of the service, which belongs to the source's identity.
    ///   - destination: The folder of the library.
    init(_ files: ForeignExportFiles, _ items: [ForeignItem], name: String, destination: LibraryPath) {
        (self.files, self.items) = (files, items)
        id = Self.id(files, name: name, destination: destination)
        all = items.map { Self.asset($0, files.files) }
        indices = Dictionary(items.map { ("\($0.path)", $0) }.enumerated().map { ($1.0, $0) }, uniquingKeysWith: { $1 })
    }

    let id: String

    /// Returns the identity of the photos of an export in a folder of the library.
    static func id(_ files: ForeignExportFiles, name: String, destination: LibraryPath) -> String {
        "\(name) \(files.id) \(destination)"
    }

    private static let (media, description) = ("media", "description")

    /// Returns a file at a path of the library as the state of the source records it.
    static func item(_ file: ExportedFile, at path: LibraryPath) -> AssetIndex.Item {
        AssetIndex.Item(
            asset: path.description, resource: resource(media, of: file), modified: file.modified)
    }

    /// The identity of the bytes belongs to that of the resource: other bytes are another one.
    private static func resource(_ kind: String, _ number: Int = 0, of file: ExportedFile) -> String {
        "\(kind) \(number) \(file.revision)"
    }

    private static func asset(_ item: ForeignItem, _ files: [ExportedFile]) -> SourceAsset {
        let file = files[item.file]
        let modified = item.taken ?? file.modified
        var resources = ([item.path] + item.alsoAt).enumerated().map { number, path in
            SourceResource(
                id: resource(media, number, of: file), name: path.name, path: path.description,
                isEdited: false, modified: modified, size: file.size,
                copyOf: number == 0 ? nil : resource(media, of: file))
        }
        if let sidecar = item.description {
            resources.append(
                SourceResource(
                    id: resource(description, of: files[sidecar.file]), name: sidecar.path.name,
                    path: sidecar.path.description, isEdited: false,
                    modified: modified, size: files[sidecar.file].size))
        }
        return SourceAsset(
            id: item.path.description, stableID: item.path.description, created: item.taken, location: item.location,
            isFavorite: item.isFavorite, isHidden: item.isHidden, resources: resources)
    }

    func assets() -> any AsyncSequence<[SourceAsset], any Error> & Sendable {
        let all = all
        return AsyncThrowingStream { continuation in
            continuation.yield(all)
            continuation.finish()
        }
    }

    func assets(withIDs ids: [String]) async throws(SourceError) -> [SourceAsset] {
        ids.compactMap { indices[$0] }.map { all[$0] }
    }

    /// The files of an export do not change: another export has another identity.
    func changeToken() async throws(SourceError) -> [UInt8]? { nil }

    func changes(since token: [UInt8]) async throws(SourceError) -> SourceChanges? { nil }

    func bytes(
        of resource: String, in asset: String, isDownloadAllowed: Bool, onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<ByteBuffer, any Error> & Sendable {
        guard let index = indices[asset] else {
            return AsyncThrowingStream { $0.finish(throwing: SourceError.missing) }
        }
        let item = items[index]
        return files.bytes(of: resource.hasPrefix(Self.description) ? item.description?.file ?? item.file : item.file)
    }

    func thumbnail(of resource: String, in asset: String, maximumPixels: Int) async -> ByteBuffer? { nil }
}
