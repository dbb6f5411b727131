import Foundation
import HTTPTypes

/// The checksums that S3 clients may declare in `x-amz-checksum-…`, in a header or in a trailer.
enum ChecksumAlgorithm: String, Sendable, CaseIterable, Codable {
    case crc32, crc32c, crc64nvme, sha1, sha256

    /// The header's lower-case name.
    var headerName: String { "x-amz-checksum-\(rawValue)" }

    var field: HTTPField.Name { HTTPField.Name.s3(headerName) }

    /// The name in `x-amz-checksum-algorithm` and in documents.
    var name: String { rawValue.uppercased() }

    /// The XML element that holds a checksum.
    var elementName: String { "Checksum\(name)" }

    /// The length in bytes.
    var size: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// The length of a checksum in base64.
    var textSize: Int { (size + 2) / 3 * 4 }

    /// Algorithms of S3 that this endpoint does not support.
    private static let unsupported: Set = ["md5", "sha512", "xxhash3", "xxhash64", "xxhash128"]

    /// Returns the algorithm with a name that a client sent, in any case.
    static func named(_ name: some StringProtocol) throws(S3Error) -> ChecksumAlgorithm {
        let name = name.lowercased()
        if let found = ChecksumAlgorithm(rawValue: name) { return found }
        if unsupported.contains(name) { throw .notImplemented("The checksum algorithm '\(name)'") }
        let valid = allCases.map(\.name).joined(separator: ", ")
        throw .invalidRequest(
            "Checksum algorithm provided is unsupported. Please try again with any of the valid types: [\(valid)]")
    }

    /// Returns whether a declared value is base64 of the algorithm's length.
    func isWellFormed(_ value: String) -> Bool { Data(base64Encoded: value)?.count == size }
}
