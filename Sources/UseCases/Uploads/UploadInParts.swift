import PhotoCatalog
import PhotolalaAPI

/// A photo that a browser uploads in parts, and the parts to sign.
package struct UploadInParts: Sendable {
    /// A part with the digest and the length of its bytes.
    package struct Part: Sendable {
        /// From 1 on.
        package let number: Int
        package let md5: ContentDigest
        /// The length in bytes.
        package let size: Int64

        package init(number: Int, md5: ContentDigest, size: Int64) {
            (self.number, self.md5, self.size) = (number, md5, size)
        }
    }

    /// The length of each part but the last, in bytes.
    package static let partSize: Int64 = 8 << 20
    /// Photos that are longer are uploaded in parts, in bytes.
    package static let minimumSize: Int64 = 32 << 20
    /// The maximum number of parts to sign at once: at 200 KB/s they arrive before the signatures expire.
    package static let maximumParts = 20
    /// The maximum length of an upload id of a store.
    private static let maximumIDLength = 1024

    let md5: ContentDigest
    let size: Int64
    let upload: String
    let parts: [Part]

    /// - Parameters:
    ///   - size: The length of the photo in bytes.
    ///   - upload: The store's id of the upload.
    /// - Throws: `invalidRequest` for parts that are not those of the photo.
    package init(md5: ContentDigest, size: Int64, upload: String, parts: [Part]) throws(ServiceError) {
        guard (1...UploadRequest.maximumPhotoSize).contains(size) else {
            throw .invalidRequest("invalid size of a photo")
        }
        guard (1...Self.maximumIDLength).contains(upload.utf8.count) else {
            throw .invalidRequest("invalid upload id")
        }
        guard parts.count <= Self.maximumParts else { throw .invalidRequest("too many parts") }
        let count = (size + Self.partSize - 1) / Self.partSize
        for part in parts {
            guard (1...count).contains(Int64(part.number)),
                part.size == min(Self.partSize, size - Int64(part.number - 1) * Self.partSize)
            else { throw .invalidRequest("invalid number or size of a part") }
        }
        (self.md5, self.size, self.upload, self.parts) = (md5, size, upload, parts)
    }
}

/// The signed requests of an upload in parts.
package struct SignedParts: Sendable {
    /// In the order of the requested parts.
    package let parts: [ReservedUpload]
    package let completion: ReservedUpload
    package let abortion: ReservedUpload
}
