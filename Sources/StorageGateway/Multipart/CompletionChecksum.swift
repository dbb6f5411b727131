import Foundation
import HTTPTypes
import ObjectStorage

/// Verifies the checksums declared by CompleteMultipartUpload against those of the parts.
struct CompletionChecksum: Sendable {
    /// The checksum selected when the upload was started.
    private let chosen: UploadChecksum?
    /// The object's checksum as computed by the client.
    private let declared: (algorithm: ChecksumAlgorithm, value: String)?

    /// - Parameter request: A CompleteMultipartUpload request.
    init(_ chosen: UploadChecksum?, _ request: GatewayRequest) throws(S3Error) {
        self.chosen = chosen
        declared = try Self.declared(request)
        if let type = try request.headers[.amzChecksumType].map(ChecksumType.named) {
            guard type == chosen?.type ?? .fullObject else {
                throw .invalidRequest(
                    "The upload was created using the \(chosen?.type.rawValue ?? ChecksumType.fullObject.rawValue) "
                        + "checksum mode. The complete request must use the same checksum mode.")
            }
        }
        if let chosen, let declared { try chosen.check(part: declared.algorithm) }
    }

    /// Returns whether the checksums of the parts must be read, which costs one HEAD for each.
    func needsParts(_ request: CompletionRequest) -> Bool {
        chosen != nil || declared != nil || request.parts.contains { $0.checksum != nil }
    }

    /// Returns the checksum of the object; `nil` if none was selected or declared.
    /// - Parameter stored: The selected parts, with the checksums computed when they were uploaded.
    func verify(
        _ request: CompletionRequest, _ stored: [(size: Int64, checksum: ContentChecksum?)]
    ) throws(S3Error) -> ContentChecksum? {
        for (part, found) in zip(request.parts, stored) {
            if let named = part.checksum {
                guard named == found.checksum else { throw .invalidPart }
            } else if let chosen, chosen.type == .composite {
                throw .invalidRequest(
                    "The upload was created using a \(chosen.algorithm.rawValue) checksum. The complete request must "
                        + "include the checksum for each part. It was missing for part \(part.number) in the request.")
            }
        }
        guard let algorithm = chosen?.algorithm ?? declared?.algorithm else { return nil }
        let values = stored.compactMap { part in
            part.checksum.flatMap { $0.algorithm == algorithm ? (value: $0.value, size: part.size) : nil }
        }
        guard values.count == stored.count,
            let computed = PartChecksums(algorithm: algorithm, parts: values).combined(chosen?.type ?? .fullObject)
        else {
            throw .invalidRequest(
                "The \(algorithm.rawValue) checksum of the object cannot be computed from its parts. Name it in "
                    + "x-amz-checksum-algorithm when the upload begins.")
        }
        guard declared.map({ Self.agrees($0.value, with: computed) }) ?? true else { throw .badDigest }
        return computed
    }

    /// The number of parts may be omitted after a composite checksum.
    private static func agrees(_ value: String, with computed: ContentChecksum) -> Bool {
        value == computed.value || computed.type == .composite && value == String(computed.value.prefix { $0 != "-" })
    }

    private static func declared(
        _ request: GatewayRequest
    ) throws(S3Error) -> (algorithm: ChecksumAlgorithm, value: String)? {
        var found: (algorithm: ChecksumAlgorithm, value: String)?
        for (algorithm, value) in try DeclaredChecksum.values(DeclaredChecksum.declarations(request)) {
            guard found == nil else { throw DeclaredChecksum.tooMany }
            let parts = value.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard algorithm.isWellFormed(String(parts[0])), parts.count == 1 || Int(parts[1]) != nil else {
                throw DeclaredChecksum.invalid(algorithm)
            }
            found = (algorithm, value)
        }
        return found
    }
}
