/// A proof of possession (RFC 9449) as a request brought it, and which request that was.
package struct PresentedProof: Sendable {
    /// The value of the `DPoP` header field.
    package let text: String
    /// The request's HTTP method, as it was sent.
    package let method: String
    /// The request's address as its client knows it, without a query.
    package let uri: String

    package init(text: String, method: String, uri: String) {
        self.text = text
        self.method = method
        self.uri = uri
    }
}
