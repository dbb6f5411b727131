import Foundation
import NIOCore
import ObjectStorage
import SigV4
import XMLCoder

/// The answer to ListObjectsV2.
struct S3Listing {
    let objects: [ListedObject]
    /// The last key as it came, also when it is none of ours.
    let lastKey: String?
    let isTruncated: Bool

    /// At most 1,000 keys of 1,024 bytes, each byte spelled in up to three, and what stands around them.
    static let sizeLimit = 8 << 20

    init(_ bytes: ByteBuffer) throws(ObjectStoreError) {
        let document: Document
        do {
            document = try XMLDecoder().decode(Document.self, from: Data(bytes.readableBytesView))
        } catch {
            throw .unavailable("a listing that cannot be read")
        }
        let isEncoded = document.EncodingType == "url"
        var objects: [ListedObject] = []
        var lastKey: String?
        for content in document.Contents ?? [] {
            guard let text = isEncoded ? Self.decoded(content.Key) : content.Key,
                let size = Int64(content.Size), size >= 0, let modified = S3Date.xml(content.LastModified)
            else { throw .unavailable("a listing that cannot be read") }
            lastKey = text
            // Folder markers and other keys that this project never writes are passed over.
            guard let key = ObjectKey(text) else { continue }
            let etag = ETag(S3Headers.unquoted(content.ETag))
            objects.append(ListedObject(key: key, etag: etag, size: size, lastModified: modified))
        }
        self.objects = objects
        self.lastKey = lastKey
        isTruncated = document.IsTruncated == "true"
    }

    /// Encoded as in a form: a space is a plus sign, and a plus sign is `%2B`.
    private static func decoded(_ key: String) -> String? {
        AWSPercentEncoding.decode(key.replacing("+", with: "%20"))
    }

    private struct Document: Decodable {
        let IsTruncated: String
        let EncodingType: String?
        let Contents: [Content]?
    }

    private struct Content: Decodable {
        let Key: String
        let LastModified: String
        let ETag: String
        let Size: String
    }
}
