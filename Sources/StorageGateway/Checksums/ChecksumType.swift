/// What the checksum of a multipart object covers.
enum ChecksumType: String, Sendable, Codable {
    /// All bytes, as if the object had been uploaded in one request.
    case fullObject = "FULL_OBJECT"
    /// The concatenated checksums of the parts.
    case composite = "COMPOSITE"

    /// Returns whether S3 supports the type for an algorithm: hashes cannot be combined, and CRC64NVME is defined for
    /// whole objects.
    func exists(for algorithm: ChecksumAlgorithm) -> Bool {
        switch algorithm {
        case .crc32, .crc32c: true
        case .crc64nvme: self == .fullObject
        case .sha1, .sha256: self == .composite
        }
    }

    /// Returns the default type of an upload.
    static func standard(for algorithm: ChecksumAlgorithm) -> ChecksumType {
        algorithm == .crc64nvme ? .fullObject : .composite
    }

    /// Parses the value of `x-amz-checksum-type`.
    static func named(_ name: String) throws(S3Error) -> ChecksumType {
        guard let type = ChecksumType(rawValue: name.uppercased()) else {
            throw .invalidRequest("Value for x-amz-checksum-type header is invalid.")
        }
        return type
    }
}
