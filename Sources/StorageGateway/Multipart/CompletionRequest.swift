import ObjectStorage
import PlainXML

/// The list of parts that completes an upload.
struct CompletionRequest: Sendable {
    private let parts: [(number: Int, etag: String)]
    private static let smallestPart: Int64 = 5 << 20

    init(_ document: PlainElement) throws(S3Error) {
        let entries = document.children.filter { $0.name == "Part" }
        guard document.name == "CompleteMultipartUpload", (1...10_000).contains(entries.count) else {
            throw .malformedXML
        }
        var parts: [(number: Int, etag: String)] = []
        for entry in entries {
            guard let number = entry.value("PartNumber").flatMap({ Int($0) }), let etag = entry.value("ETag") else {
                throw .malformedXML
            }
            guard number > parts.last?.number ?? 0 else { throw .invalidPartOrder }
            parts.append((number, WriteConditions.unquoted(etag)))
        }
        self.parts = parts
    }

    /// The stored parts that were named, in their order.
    func select(from stored: [Int: ListedObject]) throws(S3Error) -> [ListedObject] {
        var selected: [ListedObject] = []
        for (index, part) in parts.enumerated() {
            guard let object = stored[part.number], object.etag.description == part.etag else { throw .invalidPart }
            guard object.size >= Self.smallestPart || index == parts.count - 1 else { throw .partTooSmall }
            selected.append(object)
        }
        return selected
    }
}
