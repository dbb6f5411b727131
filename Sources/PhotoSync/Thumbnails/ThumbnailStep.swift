import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The step that makes the thumbnail of a photo and uploads it.
struct ThumbnailStep: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any ThumbnailMaker

    /// The outcome for one photo.
    enum Outcome: Sendable {
        case stored
        /// The tool could not make a thumbnail.
        case notMade
        /// Photos of this type have no thumbnails.
        case none
    }

    /// Makes a thumbnail and stores it under the photo's MD5, replacing an existing one. Throws only errors of the
    /// store, cancellation and file errors, and `changedWhileRead`: a photo without a thumbnail is still backed up.
    func run(
        _ path: String, _ inspection: FileInspection, type: MediaType
    ) async throws(BackupFailure) -> Outcome {
        guard maker.canMake(type) else { return .none }
        let thumbnail: Thumbnail
        do { thumbnail = try await maker.thumbnail(of: path) } catch {
            guard error == .cancelled else { return .notMade }
            throw .file(.cancelled)
        }
        // If the file was modified since, the thumbnail is of another photo.
        let fingerprint: FileFingerprint
        do {
            fingerprint = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
        } catch { throw .file(error) }
        guard fingerprint == inspection.fingerprint else { throw .changedWhileRead }
        let key = ObjectKey(known: StorageLayout.thumbnail(user, md5: inspection.md5.description))
        let digest = ContentDigest(of: thumbnail.bytes).base64
        do {
            try await store.write(
                key, ObjectBody(thumbnail.bytes), attributes: ["content-type": "image/jpeg", "content-md5": digest],
                if: .always
            )
        } catch { throw .store(error) }
        return .stored
    }
}
