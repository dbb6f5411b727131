/// What the checksum of an object that was uploaded in parts covers.
enum ChecksumType: String, Sendable, Codable {
    /// All bytes, as if the object had come in one piece.
    case fullObject = "FULL_OBJECT"
    /// The checksums of the parts, one after the other.
    case composite = "COMPOSITE"

    /// Whether S3 has the type for an algorithm: hashes cannot be combined, and CRC64NVME is defined for whole objects.
    func exists(for algorithm: ChecksumAlgorithm) -> Bool {
        switch algorithm {
        case .crc32, .crc32c: true
        case .crc64nvme: self == .fullObject
        case .sha1, .sha256: self == .composite
        }
    }

    /// The type of an upload that names none.
    static func standard(for algorithm: ChecksumAlgorithm) -> ChecksumType {
        algorithm == .crc64nvme ? .fullObject : .composite
    }

    /// Reads the value of `x-amz-checksum-type`.
    static func named(_ name: String) throws(S3Error) -> ChecksumType {
        guard let type = ChecksumType(rawValue: name.uppercased()) else {
            throw .invalidRequest("Value for x-amz-checksum-type header is invalid.")
        }
        return type
    }
}
