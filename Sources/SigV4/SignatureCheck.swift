/// Checks the signature of a request that came in.
package struct SignatureCheck: Sendable {
    private let pathNormalization: PathNormalization

    package init(pathNormalization: PathNormalization) { self.pathNormalization = pathNormalization }

    /// Whether the signature is the request's under this secret, compared in constant time. The answer is the chain
    /// that the chunks of an `aws-chunked` body go on from, `nil` when the signature does not hold.
    package func check(
        _ authorization: ParsedAuthorization, of request: SignableRequest, payload: PayloadHash, secretAccessKey: String
    ) -> ChunkSignatures? {
        let key = SigningKey(secretAccessKey: secretAccessKey, scope: authorization.scope)
        let canonical = CanonicalRequest(
            request, signedHeaders: authorization.signedHeaders, payload: payload, pathNormalization: pathNormalization
        )
        let text = canonical.stringToSign(timestamp: authorization.timestamp, scope: authorization.scope)
        guard key.isSignature(authorization.signature, of: text) else { return nil }
        return ChunkSignatures(seed: authorization.signature, key: key, timestamp: authorization.timestamp)
    }
}
