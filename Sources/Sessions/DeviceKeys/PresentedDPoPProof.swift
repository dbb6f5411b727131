/// A DPoP proof (RFC 9449) as received, with the request it came with.
package struct PresentedDPoPProof: Sendable {
    /// The value of the `DPoP` header field.
    package let text: String
    /// The request's HTTP method, unchanged.
    package let method: String
    /// The request's URL as the client knows it, without a query.
    package let uri: String

    package init(text: String, method: String, uri: String) {
        self.text = text
        self.method = method
        self.uri = uri
    }
}
