import HTTPTypes
import ObjectStorage
import PlainXML
import SigV4
import StorageAccess

/// One request of a known caller, on its way through an operation.
struct Call: Sendable {
    let request: GatewayRequest
    let caller: Caller
    /// Tells a client that waits for `100 Continue` to go on.
    let onBody: @Sendable () async throws -> Void

    /// The request's key, once the policy allows the action on it.
    func key(for action: StorageAction) throws(S3Error) -> ObjectKey { try allowed(action, request.key) }

    /// A key that the policy allows the action on. The border is checked before the form, so that a foreign key's form
    /// tells nothing.
    func allowed(_ action: StorageAction, _ key: String) throws(S3Error) -> ObjectKey {
        guard caller.policy.allows(action, key: key) else { throw .accessDenied() }
        guard key.utf8.count <= 1024 else { throw .keyTooLong }
        guard let key = ObjectKey(key, allowingFolderMarker: true) else {
            throw .invalidArgument(
                "This endpoint takes no key with an empty, '.' or '..' segment, or control characters.")
        }
        return key
    }

    /// The request's content, checked as it streams.
    /// - Parameter standard: the checksum to compute where the request declares none.
    func body(limit: Int64, standard: ChecksumAlgorithm? = nil) throws(S3Error) -> VerifiedBody {
        body(try DeclaredBody(request, payload: caller.payload, limit: limit), standard: standard)
    }

    private func body(_ declared: DeclaredBody, standard: ChecksumAlgorithm? = nil) -> VerifiedBody {
        VerifiedBody(
            request.body, declared: declared, chunks: caller.chunks, standard: standard, onStart: onBody)
    }

    /// The XML document in the request's body.
    /// - Parameter limit: in bytes.
    func document(
        limit: Int64 = 1 << 20, headChecksumOf subject: DeclaredBody.Subject = .body
    ) async throws -> PlainElement {
        let declared = try DeclaredBody(request, payload: caller.payload, limit: limit, headChecksumOf: subject)
        let bytes = try await body(declared).collect(limit: limit)
        guard let document = try? XMLReader.read(bytes.readableBytesView) else { throw S3Error.malformedXML }
        return document
    }
}
