import Foundation
import NIOCore
import ObjectStorage
import S3Protocol

/// The response to ListObjectsV2.
struct S3Listing {
    let objects: [ListedObject]
    /// The last key as received, even if it is not a valid key of this project.
    let lastKey: String?
    let isTruncated: Bool

    /// At most 1,000 keys of 1,024 bytes, each encoded in up to three bytes, plus the surrounding elements.
    static let sizeLimit = 8 << 20

    init(_ bytes: ByteBuffer) throws(ObjectStoreError) {
        guard let document = try? XMLReader.read(bytes.readableBytesView),
            let isTruncated = document.value("IsTruncated")
        else { throw Self.unreadable }
        let isEncoded = document.value("EncodingType") == "url"
        var objects: [ListedObject] = []
        var lastKey: String?
        for content in document.children where content.name == "Contents" {
            guard let name = content.value("Key"), let text = isEncoded ? Self.decoded(name) : name,
                let size = content.value("Size").flatMap({ Int64($0) }), size >= 0,
                let modified = content.value("LastModified").flatMap(S3Date.xml), let etag = content.value("ETag")
            else { throw Self.unreadable }
            lastKey = text
            // Folder markers and other keys that this project never writes are skipped.
            guard let key = ObjectKey(text) else { continue }
            let tag = ETag(S3Headers.unquoted(etag))
            let storageClass = content.value("StorageClass")
            let isArchived = S3Archive.kind(ofClass: storageClass) != nil
            objects.append(
                ListedObject(
                    key: key, etag: tag, size: size, lastModified: modified, isArchived: isArchived,
                    mayBeArchived: isArchived || storageClass == S3Archive.tieringClass))
        }
        self.objects = objects
        self.lastKey = lastKey
        self.isTruncated = isTruncated == "true"
    }

    private static let unreadable = ObjectStoreError.unavailable("malformed listing")

    /// Form encoding: a space is `+`, and a plus sign is `%2B`.
    static func decoded(_ key: String) -> String? {
        guard key.utf8.contains(UInt8(ascii: "+")) else { return AWSPercentEncoding.decode(key) }
        let parts = key.utf8.split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
        return AWSPercentEncoding.decode(parts.map { String(Substring($0)) }.joined(separator: "%20"))
    }
}
