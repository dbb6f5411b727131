import Foundation
import PhotoCatalog
import PhotoSync

/// Errors of showing photos.
extension PhotolalaError {
    static let cancelled = PhotolalaError(code: .cancelled, detail: "Cancelled.")

    static let withoutCache = PhotolalaError(
        code: .invalidRequest, detail: "The library has no cache. Create it with one.")

    static func cacheTooSmall(_ photo: LibraryPhoto) -> PhotolalaError {
        PhotolalaError(
            code: .cacheTooSmall, detail: "The photo cache has no room for \(photo.path) (\(photo.size) bytes).")
    }

    /// Maps a file error of the cache.
    init(cache error: FileError) {
        self =
            error == .cancelled
            ? .cancelled
            : PhotolalaError(
                code: .localStorageFailed, detail: "Cannot use the photo cache: \(error.message).",
                cause: FailureCause(error))
    }

    init(viewing failure: RestoreFailure, _ kind: PictureKind) {
        self.init(viewing: failure, file: nil)
        guard code == .photoDamaged else { return }
        detail = "The stored \(kind) is damaged. Creating previews with a verification repairs this."
    }

    /// - Parameter file: The file to which the photo was downloaded; `nil` for the cache.
    init(viewing failure: RestoreFailure, file: URL?) {
        switch failure {
        case .archived:
            self.init(code: .photoArchived, detail: "The photo is archived. Request it from the archive first.")
        case .store(let error) where !failure.isDamage: self.init(error)
        case .notStored, .contentMismatch, .store:
            self.init(
                code: .photoDamaged,
                detail:
                    "Cannot show the photo: \(failure.message). A verifying backup on a device that has it repairs this.",
                cause: FailureCause(failure))
        case .file(.cancelled): self = .cancelled
        case .file(.outOfSpace):
            self.init(
                code: .outOfSpace, detail: "No space left on this device.", cause: FailureCause(FileError.outOfSpace))
        case .file(let error):
            if let file {
                self.init(
                    code: .fileUnusable, detail: "Cannot write \(file.path): \(error.message).",
                    cause: FailureCause(error))
            } else if error == .exists {
                self.init(code: .temporarilyUnavailable, detail: "Another process is downloading the photo.")
            } else {
                self.init(cache: error)
            }
        }
    }
}

extension LibraryPhoto {
    /// Returns the catalog entry to download.
    /// - Parameter name: The name of the downloaded file; by default that of the photo.
    /// - Throws: `invalidRequest` if this photo was decoded from other data.
    func entry(named name: String? = nil) throws(PhotolalaError) -> CatalogEntry {
        guard let digest = ContentDigest(md5), let path = LibraryPath(path), let modified = Timestamp(modified),
            let type = MediaType(type), size >= 0
        else { throw PhotolalaError(code: .invalidRequest, detail: "Malformed photo: \(path).") }
        return CatalogEntry(
            path: name.map { LibraryPath(known: $0) } ?? path, md5: digest, size: size, modified: modified, type: type,
            media: MediaFacts())
    }
}
