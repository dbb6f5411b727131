import ObjectStorage
import PhotolalaAPI

/// Brings a photo's thumbnail to the store.
struct ThumbnailStep: Sendable {
    let store: any ObjectStore
    let user: UserID
    let maker: any ThumbnailMaker

    /// What became of one photo's thumbnail.
    enum Outcome: Sendable {
        case stored
        /// The tool makes none of it.
        case notMade
        /// Its kind has none.
        case none
    }

    /// Makes it and stores it under the photo's MD5, whatever is there. Only the store's failures are thrown, and a
    /// photo that changed: a photo without a thumbnail is backed up all the same.
    func run(
        _ place: String, _ inspection: FileInspection, type: MediaType
    ) async throws(BackupFailure) -> Outcome {
        guard maker.makes(type) else { return .none }
        let thumbnail: Thumbnail
        do { thumbnail = try await maker.thumbnail(of: place) } catch {
            guard error == .cancelled else { return .notMade }
            throw .file(.cancelled)
        }
        // It is of another photo when somebody wrote to the file meanwhile.
        let stamp: FileStamp
        do {
            stamp = try await FileWork.run { () throws(FileError) in try OpenFile(place).stamp() }
        } catch { throw .file(error) }
        guard stamp == inspection.stamp else { throw .changedWhileRead }
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
