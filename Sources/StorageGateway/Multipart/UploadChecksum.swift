import HTTPTypes
import S3Protocol

/// The checksum of a multipart upload, selected when it is started.
struct UploadChecksum: Sendable, Equatable, Codable {
    let algorithm: ChecksumAlgorithm
    let type: ChecksumType

    /// Reads the checksum that CreateMultipartUpload requests; `nil` if it requests none.
    init?(_ headers: HTTPFields) throws(S3Error) {
        let type = try headers[.amzChecksumType].map(ChecksumType.named)
        guard let name = headers[.amzChecksumAlgorithm] else {
            guard type == nil else {
                throw .invalidRequest("The x-amz-checksum-type header can only be used with x-amz-checksum-algorithm.")
            }
            return nil
        }
        algorithm = try ChecksumAlgorithm.named(name)
        self.type = type ?? .standard(for: algorithm)
        guard self.type.exists(for: algorithm) else {
            throw .invalidRequest(
                "The \(self.type.rawValue) checksum type cannot be used with the \(algorithm.rawValue) algorithm.")
        }
    }

    /// Rejects a part whose checksum uses another algorithm.
    func check(part algorithm: ChecksumAlgorithm?) throws(S3Error) {
        guard let algorithm, algorithm != self.algorithm else { return }
        throw .invalidRequest(
            "Checksum Type mismatch occurred, expected checksum Type: \(self.algorithm.rawValue), "
                + "actual checksum Type: \(algorithm.rawValue)")
    }

    func set(in headers: inout HTTPFields) {
        headers[.amzChecksumAlgorithm] = algorithm.name
        headers[.amzChecksumType] = type.rawValue
    }

    func write(to xml: inout XMLWriter) {
        xml.element("ChecksumAlgorithm", algorithm.name)
        xml.element("ChecksumType", type.rawValue)
    }
}
