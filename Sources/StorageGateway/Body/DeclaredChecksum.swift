import HTTPTypes
import S3Protocol

/// Finds the checksums that a request declares for its body. A declaration that cannot be verified is rejected.
enum DeclaredChecksum {
    private static let prefix = "x-amz-checksum-"
    private static let algorithmField = "x-amz-sdk-checksum-algorithm"
    /// Fields with the same prefix that declare no checksum.
    private static let others: Set = ["algorithm", "mode", "type"]

    static let tooMany = S3Error.invalidRequest(
        "Expecting a single x-amz-checksum- header. Multiple checksum types are not allowed.")

    static func invalid(_ algorithm: ChecksumAlgorithm) -> S3Error {
        .invalidRequest("Value for \(algorithm.headerName) header is invalid.")
    }

    /// Returns the checksum declarations outside the trailer: header fields, and query parameters, which some clients
    /// use in links.
    static func declarations(_ request: GatewayRequest) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        for field in request.headers where isDeclaration(field.name.canonicalName) {
            found.append((field.name.canonicalName, field.value))
        }
        for (name, value) in request.query where isDeclaration(name.lowercased()) {
            found.append((name.lowercased(), value))
        }
        return found
    }

    /// Returns the checksum declared in the header.
    static func inHead(_ declarations: [(name: String, value: String)]) throws(S3Error) -> ContentChecksum? {
        var found: ContentChecksum?
        for (algorithm, value) in try values(declarations) {
            guard found == nil else { throw tooMany }
            guard algorithm.isWellFormed(value) else { throw invalid(algorithm) }
            found = ContentChecksum(algorithm, value)
        }
        return found
    }

    /// Returns all declared values, well-formed or not.
    static func values(
        _ declarations: [(name: String, value: String)]
    ) throws(S3Error) -> [(algorithm: ChecksumAlgorithm, value: String)] {
        var found: [(algorithm: ChecksumAlgorithm, value: String)] = []
        for (name, value) in declarations where name.hasPrefix(prefix) {
            let kind = name.dropFirst(prefix.count)
            if others.contains(String(kind)) { continue }
            found.append((try ChecksumAlgorithm.named(kind), value))
        }
        return found
    }

    /// Returns the algorithm of the checksum announced for the trailer.
    static func inTrailer(_ request: GatewayRequest, _ payload: PayloadHash) throws(S3Error) -> ChecksumAlgorithm? {
        guard let name = request.headers[.amzTrailer]?.lowercased() else { return nil }
        guard payload == .streamingSignedTrailer || payload == .streamingUnsignedTrailer, name.hasPrefix(prefix) else {
            throw .invalidRequest("The value specified in the x-amz-trailer header is not supported")
        }
        return try ChecksumAlgorithm.named(name.dropFirst(prefix.count))
    }

    /// Requires a client that names the algorithm it computes to send the computed value.
    static func checkAlgorithmField(
        _ declarations: [(name: String, value: String)], _ algorithm: ChecksumAlgorithm?
    ) throws(S3Error) {
        for (name, value) in declarations where name == algorithmField {
            guard try ChecksumAlgorithm.named(value) == algorithm else {
                throw .invalidRequest(
                    "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer "
                        + "headers were found.")
            }
        }
    }

    /// Returns whether a trailer has a checksum that the header did not announce.
    static func isUnannounced(_ trailers: [String: String], except announced: ChecksumAlgorithm?) -> Bool {
        trailers.keys.contains { $0.hasPrefix(prefix) && $0 != announced?.headerName }
    }

    /// Returns whether a lower-case name declares or announces a checksum.
    static func declares(_ name: String) -> Bool {
        isDeclaration(name) && !others.contains(String(name.dropFirst(prefix.count)))
    }

    private static func isDeclaration(_ name: String) -> Bool { name.hasPrefix(prefix) || name == algorithmField }
}
