import HTTPTypes
import ObjectStorage
import S3Protocol

/// A checksum of an object or of a part, in S3's format.
struct ContentChecksum: Sendable, Equatable, Codable {
    let algorithm: ChecksumAlgorithm
    let type: ChecksumType
    /// Base64; a composite checksum is followed by `-` and the number of parts.
    let value: String

    private static let typeAttribute = "x-amz-checksum-type"

    init(_ algorithm: ChecksumAlgorithm, _ value: String, type: ChecksumType = .fullObject) {
        self.algorithm = algorithm
        self.type = type
        self.value = value
    }

    /// Reads the checksum stored with an object or a part.
    init?(_ attributes: ObjectAttributes) {
        for algorithm in ChecksumAlgorithm.allCases {
            guard let value = attributes[algorithm.headerName] else { continue }
            // Only composite checksums store their type.
            let type = attributes[Self.typeAttribute].flatMap(ChecksumType.init) ?? .fullObject
            self.init(algorithm, value, type: type)
            return
        }
        return nil
    }

    /// The attributes to store with the object or part.
    var attributes: ObjectAttributes {
        var attributes = [algorithm.headerName: value]
        if type != .fullObject { attributes[Self.typeAttribute] = type.rawValue }
        return attributes
    }

    /// Returns attributes of the length that will be stored with a part or a non-multipart object, before the
    /// checksum is known: the quota counts their length.
    static func placeholder(_ algorithm: ChecksumAlgorithm?) -> ObjectAttributes {
        guard let algorithm else { return [:] }
        return ContentChecksum(algorithm, String(repeating: "=", count: algorithm.textSize)).attributes
    }

    /// Returns whether a stored attribute belongs to a checksum.
    static func isAttribute(_ name: String) -> Bool { name.hasPrefix("x-amz-checksum-") }

    func write(to xml: inout XMLWriter) { xml.element(algorithm.elementName, value) }

    func set(in headers: inout HTTPFields) {
        headers[algorithm.field] = value
        headers[.amzChecksumType] = type.rawValue
    }
}
