import Foundation
import HTTPTypes

/// The checksums that S3 clients may declare in `x-amz-checksum-…`, in a header or in a trailer.
enum ChecksumAlgorithm: String, Sendable, CaseIterable {
    case crc32, crc32c, crc64nvme, sha1, sha256

    /// The header's lower-case name.
    var headerName: String { "x-amz-checksum-\(rawValue)" }

    var field: HTTPField.Name { HTTPField.Name.s3(headerName) }

    /// Length in bytes.
    var size: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// Finds the algorithm of a header's name.
    init?(headerName: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.headerName == headerName }) else { return nil }
        self = found
    }

    /// Whether a declared value has the algorithm's form: base64 of so many bytes.
    func isWellFormed(_ value: String) -> Bool { Data(base64Encoded: value)?.count == size }
}
