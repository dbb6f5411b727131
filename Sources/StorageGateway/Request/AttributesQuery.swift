import HTTPTypes

/// The parameters of GetObjectAttributes.
struct AttributesQuery: Sendable {
    enum Name: String, Sendable {
        case etag = "ETag"
        case checksum = "Checksum"
        case objectParts = "ObjectParts"
        case storageClass = "StorageClass"
        case objectSize = "ObjectSize"
    }

    let names: Set<Name>
    /// The maximum number of parts, and the number after which they start.
    let limit: Int
    let marker: Int

    init(_ headers: HTTPFields) throws(S3Error) {
        // A client may send one field with a list, or one field per name.
        let list = headers[values: .amzObjectAttributes].joined(separator: ",").split(separator: ",")
        var names: Set<Name> = []
        for item in list {
            guard let name = Name(rawValue: item.filter { $0 != " " }) else {
                throw .invalidArgument("Invalid attribute name specified.")
            }
            names.insert(name)
        }
        guard !names.isEmpty else { throw .invalidRequest("Missing required header: x-amz-object-attributes") }
        self.names = names
        limit = min(try Self.number(.amzMaxParts, headers) ?? 1000, 1000)
        marker = try Self.number(.amzPartNumberMarker, headers) ?? 0
    }

    private static func number(_ name: HTTPField.Name, _ headers: HTTPFields) throws(S3Error) -> Int? {
        guard let text = headers[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .invalidArgument("\(name.canonicalName) must be an integer between 0 and 2147483647")
        }
        return number
    }
}
