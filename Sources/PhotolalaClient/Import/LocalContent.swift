import ForeignExports
import PhotoCatalog
import PhotoSync

/// What a file or folder of this device contains that is no export of Photolala.
package enum LocalContent: Sendable, Equatable {
    /// An export of another service.
    case export(PhotoService)
    /// A folder with exports of Photolala.
    case folderOfOwnExport
    /// A folder into which an export of Photolala was unpacked.
    case unpackedOwnExport
    case compressedTar
    case folder
    case archive
    /// A file with the name of a photo or video.
    case photo
    case other

    /// Examines a file or folder, and reads the descriptions of photos in it.
    /// - Throws: `cancelled`
    package static func examine(_ path: String) async throws(PhotolalaError) -> LocalContent {
        let isFolder = LocalPath.kind(of: path) == .folder
        do {
            if let service = try await ForeignImporter.service(of: path) { return .export(PhotoService(service)) }
            return isFolder ? .folder : .archive
        } catch BackupError.cancelled {
            throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
        } catch ForeignExportError.ownExport(let own) {
            return own == .folder ? .unpackedOwnExport : .folderOfOwnExport
        } catch ForeignExportError.compressedTar {
            return .compressedTar
        } catch {
            if isFolder { return .folder }
            return FileExtensions.isNamedLikeMedia(path) ? .photo : .other
        }
    }
}
