import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import StorageAccess

extension LibraryUploadService {
    /// Reserves quota for a photo and signs the request that starts its upload in parts.
    /// - Returns: `nil` for a file that is not a photo or video.
    /// - Throws: `storageReadOnly`, `quotaExceeded`.
    package func startUploadInParts(
        _ offer: OfferedPhoto, caller: Caller
    ) async throws(ServiceError) -> ReservedUpload? {
        guard offer.size <= UploadRequest.maximumPhotoSize else { throw .invalidRequest("invalid size of a photo") }
        guard let type = MediaType.sniffed(offer.head, name: offer.path.name) else { return nil }
        let key = ObjectKey.photo(caller.user, md5: offer.md5)
        let start = PresignedRequest(
            .post, key, query: ["uploads": ""], headers: ["content-type": type.description])
        return try await uploads.reserve(
            key, size: offer.size, signing: [start], caller: caller, lasting: Self.browserURLLifetime
        ).first
    }

    /// Reserves quota for a photo, and signs PUTs for exactly the bytes of some of its parts, and the requests that
    /// complete and abort its upload. Without parts, the latter alone.
    /// - Throws: `storageReadOnly`, `quotaExceeded`.
    package func signParts(of upload: UploadInParts, caller: Caller) async throws(ServiceError) -> SignedParts {
        let key = ObjectKey.photo(caller.user, md5: upload.md5)
        let id = ["uploadId": upload.upload]
        let parts = upload.parts.map { part in
            PresignedRequest(
                .put, key, query: id.merging(["partNumber": String(part.number)]) { first, _ in first },
                headers: ["content-md5": part.md5.base64, "content-length": String(part.size)])
        }
        let requests = parts + [PresignedRequest(.post, key, query: id), PresignedRequest(.delete, key, query: id)]
        let signed = try await uploads.reserve(
            key, size: upload.size, signing: requests, caller: caller, lasting: Self.browserURLLifetime)
        guard signed.count == requests.count else { throw .internal("missing signed URL") }
        return SignedParts(
            parts: Array(signed.prefix(parts.count)), completion: signed[parts.count],
            abortion: signed[parts.count + 1])
    }
}
