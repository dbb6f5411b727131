import ObjectStorage
import S3Protocol

/// The list of parts that completes an upload.
struct CompletionRequest: Sendable {
    struct Part: Sendable {
        let number: Int
        let etag: String
        let checksum: ContentChecksum?
    }

    let parts: [Part]
    private static let minimumPartSize: Int64 = 5 << 20
    private static let members: Set = ["PartNumber", "ETag"]

    init(_ document: PlainElement) throws(S3Error) {
        let entries = document.children.filter { $0.name == "Part" }
        guard document.name == "CompleteMultipartUpload", (1...10_000).contains(entries.count) else {
            throw .malformedXML
        }
        var parts: [Part] = []
        for entry in entries {
            guard let number = entry.value("PartNumber").flatMap({ Int($0) }), let etag = entry.value("ETag") else {
                throw .malformedXML
            }
            guard number > parts.last?.number ?? 0 else { throw .invalidPartOrder }
            parts.append(
                Part(number: number, etag: WriteConditions.unquoted(etag), checksum: try Self.checksum(entry)))
        }
        self.parts = parts
    }

    private static func checksum(_ entry: PlainElement) throws(S3Error) -> ContentChecksum? {
        var found: ContentChecksum?
        for child in entry.children where !members.contains(child.name) {
            guard child.name.hasPrefix("Checksum"), found == nil else { throw .malformedXML }
            found = ContentChecksum(try ChecksumAlgorithm.named(child.name.dropFirst(8)), child.text)
        }
        return found
    }

    /// Returns the stored parts that the request names, in their order.
    func select(from stored: [Int: ListedObject]) throws(S3Error) -> [ListedObject] {
        var selected: [ListedObject] = []
        for (index, part) in parts.enumerated() {
            guard let object = stored[part.number], object.etag.description == part.etag else { throw .invalidPart }
            guard object.size >= Self.minimumPartSize || index == parts.count - 1 else { throw .partTooSmall }
            selected.append(object)
        }
        return selected
    }
}
