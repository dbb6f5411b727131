import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync

/// The photos in a folder and its subfolders. A backup of it is the same as a backup of the folder.
///
/// The files of a Live Photo, a RAW picture with its developed version, and an edited photo with its original are one
/// asset, by their names. Files that cannot be read are left out here; a backup reports them.
public struct FolderSource: PhotoSource {
    /// The folder, which is only read.
    public let folder: URL

    /// The files to leave out.
    public let patterns: FolderPatterns

    /// Creates a source with the photos of a folder.
    public init(_ folder: URL, patterns: FolderPatterns = FolderPatterns()) {
        (self.folder, self.patterns) = (folder, patterns)
    }

    /// The path of the folder identifies it.
    public var id: String { "folder \(folder.path)" }

    private var scan: FolderScan { FolderScan(root: folder.path, filter: patterns.filter) }

    /// Returns the assets of the folder and its subfolders, in one batch.
    public func assets() -> any AsyncSequence<[PhotoAsset], any Error> & Sendable {
        let scan = scan
        return AsyncThrowingStream<[PhotoAsset], any Error>(
            unfolding: OnceOnly {
                do throws(FileError) {
                    return Self.assets(of: try await scan.run().files)
                } catch {
                    throw PhotoSourceError(SourceError(error))
                }
            }.next)
    }

    /// Returns assets by the path of their first file; lists the folders that contain them.
    public func assets(withIDs ids: [PhotoAsset.ID]) async throws(PhotoSourceError) -> [PhotoAsset] {
        let wanted = Set(ids)
        var found: [PhotoAsset] = []
        for folder in Set(ids.compactMap { LibraryPath($0) }.map(\.folder)).sorted() {
            do throws(FileError) {
                found += Self.assets(of: try await scan.files(in: LibraryPath(folder))).filter {
                    wanted.contains($0.id)
                }
            } catch .missing {
                continue
            } catch { throw PhotoSourceError(SourceError(error)) }
        }
        return found
    }

    /// Returns the bytes of a file, 1 MiB at a time. Links are not followed.
    public func data(
        of resource: PhotoResource.ID, in asset: PhotoAsset.ID, isDownloadAllowed: Bool,
        onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<Data, any Error> & Sendable {
        guard let path = LibraryPath(resource) else {
            return AsyncThrowingStream { $0.finish(throwing: PhotoSourceError.missing) }
        }
        return ConvertedSequence(FileChunks(of: path, in: folder.path)) { Data($0.readableBytesView) }
    }

    private static func assets(of files: [ScannedFile]) -> [PhotoAsset] {
        let known = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        return MediaGroup.groups(of: files.map { ($0.path, $0.type) }).groups.map { group in
            let paths = [group.primary] + group.companions
            let resources = paths.compactMap { path in known[path].map { resource($0, primary: group.primary) } }
            return PhotoAsset(id: group.primary.description, resources: resources)
        }
    }

    private static func resource(_ file: ScannedFile, primary: LibraryPath) -> PhotoResource {
        let isPrimary = file.path == primary
        let kind: PhotoResource.Kind =
            switch file.type {
            case .appleEdits: .adjustments
            case let type where type.isSidecar: .sidecar
            case let type where type.isVideo: isPrimary ? .video : .pairedVideo
            case _ where MediaName(file.path.name).isEdited: .editedPhoto
            default: isPrimary ? .photo : .alternatePhoto
            }
        return PhotoResource(
            id: file.path.description, kind: kind, name: file.path.name, modified: Date(file.fingerprint.modified),
            size: file.fingerprint.size, path: file.path.description)
    }
}

/// A sequence with one element that is computed when it is requested.
private actor OnceOnly<Element: Sendable> {
    private var body: (@Sendable () async throws -> Element)?

    init(_ body: @escaping @Sendable () async throws -> Element) { self.body = body }

    @Sendable nonisolated func next() async throws -> Element? {
        guard let body = await removeBody() else { return nil }
        return try await body()
    }

    private func removeBody() -> (@Sendable () async throws -> Element)? {
        defer { body = nil }
        return body
    }
}
