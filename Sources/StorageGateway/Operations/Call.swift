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
        guard let key = ObjectKey(key) else {
            throw .invalidArgument(
                "This endpoint takes no key with an empty, '.' or '..' segment, or control characters.")
        }
        return key
    }

    /// The request's content, checked as it streams.
    func body(limit: Int64) throws(S3Error) -> VerifiedBody {
        VerifiedBody(
            request.body, declared: try DeclaredBody(request, payload: caller.payload, limit: limit),
            chunks: caller.chunks, onStart: onBody
        )
    }

    /// The XML document in the request's body, at most 1 MiB.
    func document() async throws -> PlainElement {
        let bytes = try await body(limit: 1 << 20).collect(limit: 1 << 20)
        guard let document = try? XMLReader.read(bytes.readableBytesView) else { throw S3Error.malformedXML }
        return document
    }
}
