import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The steps that make the thumbnail of a photo and upload it.
struct ThumbnailStep: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any ThumbnailMaker

    /// The outcome for one photo.
    enum Outcome: Sendable {
        case stored
        /// The tool could not make a thumbnail.
        case notMade
        /// Photos of this type have no thumbnails, or the tool is not installed.
        case none
    }

    /// A thumbnail that is not stored yet, or the outcome for a photo without one.
    enum Product: Sendable {
        case thumbnail(Thumbnail)
        case nothing(Outcome)
    }

    /// Makes a thumbnail. Throws only cancellation and file errors, and `changedWhileRead`: a photo without a thumbnail
    /// is still backed up.
    func make(
        _ path: String, _ inspection: FileInspection, type: MediaType
    ) async throws(BackupFailure) -> Product {
        guard maker.canMake(type) else { return .nothing(.none) }
        let thumbnail: Thumbnail
        do { thumbnail = try await maker.thumbnail(of: path, type: type) } catch {
            switch error {
            case .cancelled: throw .file(.cancelled)
            case .missing: return .nothing(.none)
            case .notMade, .tooSlow, .toolFailed: return .nothing(.notMade)
            }
        }
        // If the file was modified since, the thumbnail is of another photo.
        let fingerprint: FileFingerprint
        do {
            fingerprint = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
        } catch { throw .file(error) }
        guard fingerprint == inspection.fingerprint else { throw .changedWhileRead }
        return .thumbnail(thumbnail)
    }

    /// Stores a thumbnail under the photo's MD5, replacing an existing one.
    func store(_ product: Product, of inspection: FileInspection) async throws(BackupFailure) -> Outcome {
        let thumbnail: Thumbnail
        switch product {
        case .thumbnail(let made): thumbnail = made
        case .nothing(let outcome): return outcome
        }
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
