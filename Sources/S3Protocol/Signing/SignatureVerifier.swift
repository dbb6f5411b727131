/// Verifies the signature of a received request.
package struct SignatureVerifier: Sendable {
    private let pathNormalization: PathNormalization

    package init(pathNormalization: PathNormalization) { self.pathNormalization = pathNormalization }

    /// Verifies the request's signature with a secret, in constant time.
    /// - Returns: The chain for verifying the chunks of an `aws-chunked` body; `nil` if the signature is invalid.
    package func verify(
        _ authorization: ParsedAuthorization, of request: SignableRequest, payload: PayloadHash, secretAccessKey: String
    ) -> ChunkSigner? {
        let key = SigningKey(secretAccessKey: secretAccessKey, scope: authorization.scope)
        let canonical = CanonicalRequest(
            request, signedHeaders: authorization.signedHeaders, payload: payload, pathNormalization: pathNormalization
        )
        let text = canonical.stringToSign(timestamp: authorization.timestamp, scope: authorization.scope)
        guard key.isSignature(authorization.signature, of: text) else { return nil }
        return ChunkSigner(seed: authorization.signature, key: key, timestamp: authorization.timestamp)
    }
}
