import Crypto
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets

/// A stored part of an unfinished upload.
struct SentPart {
    let etag: ETag
    private let size: Int

    /// Returns whether the part has these bytes. The ETag of a part is its MD5, unless the store encrypts it with its
    /// own key; such a part is sent again.
    func isPart(_ md5: Insecure.MD5Digest, size: Int) -> Bool {
        self.size == size && etag.description == Hex.encode(md5)
    }

    /// Returns the parts of an upload by number; `nil` if the upload no longer exists or may not be listed.
    static func list(
        _ exchange: S3Exchange, _ key: ObjectKey, _ upload: String
    ) async throws(ObjectStoreError) -> [Int: SentPart]? {
        var parts: [Int: SentPart] = [:]
        var marker = 0
        while true {
            var request = S3Request(.listParts, key: key)
            request.query = [("part-number-marker", String(marker)), ("uploadId", upload)]
            let outcome = try await exchange.perform(request, expecting: [403, 404], collecting: S3Listing.sizeLimit)
            guard case .response(_, let bytes) = outcome else { return nil }
            guard let document = try? XMLReader.read(bytes.readableBytesView) else {
                throw .unavailable("malformed list of parts")
            }
            for part in document.children where part.name == "Part" {
                guard let number = part.value("PartNumber").flatMap({ Int($0) }), let etag = part.value("ETag"),
                    let size = part.value("Size").flatMap({ Int($0) })
                else { throw .unavailable("malformed list of parts") }
                parts[number] = SentPart(etag: ETag(S3Headers.unquoted(etag)), size: size)
            }
            let next = document.value("NextPartNumberMarker").flatMap { Int($0) } ?? 0
            guard document.value("IsTruncated") == "true", next > marker else { return parts }
            marker = next
        }
    }
}
