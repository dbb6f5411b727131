import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// The steps that make the thumbnail and the preview of a photo from its file, and upload those that were made or that a
/// source has.
struct ThumbnailStep: Sendable {
    let maker: any PictureMaker
    /// The JPEG quality of previews; `nil` if none are made.
    let previewQuality: Int?

    /// The outcome for one photo.
    enum Outcome: Sendable {
        case stored(hasPreview: Bool)
        /// The tool could not make a thumbnail.
        case notMade
        /// The tool lacks a program that photos of this type require.
        case lacksProgram
        /// The tool, or what it requires, is not installed.
        case lacksTool
        /// Photos of this type have no thumbnails, or there is one already.
        case none
    }

    /// Pictures that are not stored yet, or the outcome for a photo without one.
    enum Product: Sendable {
        case pictures(Pictures)
        case nothing(Outcome)

        /// The average color of the thumbnail and the duration of a video, as far as the tool states them.
        var facts: MediaFacts {
            guard case .pictures(let pictures) = self else { return MediaFacts() }
            return MediaFacts(color: pictures.color, duration: pictures.duration)
        }
    }

    /// Returns whether a photo is to have a preview.
    func wantsPreview(_ type: MediaType, size: Int64, _ facts: MediaFacts) -> Bool {
        previewQuality != nil && maker.canMake(type) && Preview.isUseful(for: type, size: size, facts)
    }

    /// Makes the pictures of a file, or of a copy that does not change.
    /// - Throws: Only cancellation: a photo without a thumbnail is still backed up.
    func make(
        of path: String, _ inspection: FileInspection, type: MediaType
    ) async throws(BackupFailure) -> Product {
        guard maker.canMake(type) else { return .nothing(maker.lacksProgram(for: type) ? .lacksProgram : .none) }
        let hasPreview = wantsPreview(type, size: inspection.fingerprint.size, inspection.facts)
        do {
            return .pictures(
                try await maker.pictures(of: path, type: type, preview: hasPreview ? previewQuality : nil))
        } catch {
            switch error {
            case .cancelled: throw .file(.cancelled)
            case .missing: return .nothing(.lacksTool)
            case .notMade, .tooSlow, .toolFailed: return .nothing(.notMade)
            }
        }
    }

    /// Makes the pictures of the file that was inspected.
    /// - Throws: Cancellation, file errors, and `changedWhileRead`.
    func make(
        _ path: String, _ inspection: FileInspection, type: MediaType
    ) async throws(BackupFailure) -> Product {
        let product = try await make(of: path, inspection, type: type)
        guard case .pictures = product else { return product }
        // If the file was modified since, the pictures are of another photo.
        let fingerprint: FileFingerprint
        do {
            fingerprint = try await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }
        } catch { throw .file(error) }
        guard fingerprint == inspection.fingerprint else { throw .changedWhileRead }
        return product
    }

    /// Stores the pictures under the photo's MD5, replacing existing ones.
    static func store(
        _ product: Product, of inspection: FileInspection, in store: any ObjectStore, _ user: UserID
    ) async throws(BackupFailure) -> Outcome {
        switch product {
        case .pictures(let pictures):
            do { try await pictures.store(of: inspection.md5, in: store, user) } catch { throw .store(error) }
            return .stored(hasPreview: pictures.preview != nil)
        case .nothing(let outcome): return outcome
        }
    }
}

extension Pictures {
    /// Stores the thumbnail, if wanted, and then the preview.
    /// - Returns: The thumbnail's ETag; `nil` if it was not wanted.
    @discardableResult func store(
        of photo: ContentDigest, in store: any ObjectStore, _ user: UserID, withThumbnail: Bool = true
    ) async throws(ObjectStoreError) -> ETag? {
        var etag: ETag?
        if withThumbnail {
            etag = try await Self.write(thumbnail.bytes, to: PictureKind.thumbnail.key(of: photo, user), in: store)
        }
        if let preview {
            try await Self.write(preview.bytes, to: PictureKind.preview.key(of: photo, user), in: store)
        }
        return etag
    }

    @discardableResult private static func write(
        _ bytes: ByteBuffer, to key: ObjectKey, in store: any ObjectStore
    ) async throws(ObjectStoreError) -> ETag {
        let attributes: ObjectAttributes = [
            "content-type": "image/jpeg", "content-md5": ContentDigest(of: bytes).base64,
        ]
        return try await store.write(key, ObjectBody(bytes), attributes: attributes, if: .always).etag
    }
}
