import HTTPTypes
import ObjectStorage
import S3Protocol
import StorageAccess

/// A request of an authenticated caller.
struct Call: Sendable {
    let request: GatewayRequest
    let caller: Caller
    let events: BodyEvents

    /// Returns the request's key if the policy allows the action on it.
    func key(for action: StorageAction) throws(S3Error) -> ObjectKey { try allowed(action, request.key) }

    /// Returns a key if the policy allows the action on it. Access is checked before the format, so that the errors
    /// for other users' keys reveal nothing.
    func allowed(_ action: StorageAction, _ key: String) throws(S3Error) -> ObjectKey {
        guard caller.policy.allows(action, key: key) else { throw .accessDenied() }
        guard key.utf8.count <= 1024 else { throw .keyTooLong }
        guard let key = ObjectKey(key, allowingFolderMarker: true) else {
            throw .invalidArgument(
                "Keys with an empty, '.' or '..' segment or with control characters are not supported.")
        }
        return key
    }

    /// Returns the request's content, verified while it streams.
    /// - Parameter standard: The checksum to compute if the request declares none.
    func body(limit: Int64, standard: ChecksumAlgorithm? = nil) throws(S3Error) -> VerifiedBody {
        body(try DeclaredBody(request, payload: caller.payload, limit: limit), standard: standard)
    }

    private func body(_ declared: DeclaredBody, standard: ChecksumAlgorithm? = nil) -> VerifiedBody {
        VerifiedBody(
            request.body, declared: declared, chunks: caller.chunks, standard: standard, events: events)
    }

    /// Parses the XML document in the request's body.
    /// - Parameter limit: The maximum size in bytes.
    func document(
        limit: Int64 = 1 << 20, headChecksumOf subject: DeclaredBody.Subject = .body
    ) async throws -> PlainElement {
        let declared = try DeclaredBody(request, payload: caller.payload, limit: limit, headChecksumOf: subject)
        let bytes = try await body(declared).collect(limit: limit)
        guard let document = try? XMLReader.read(bytes.readableBytesView) else { throw S3Error.malformedXML }
        return document
    }
}
