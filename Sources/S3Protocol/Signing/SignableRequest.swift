import HTTPTypes

/// The parts of a request that a signature covers, as they are sent.
package struct SignableRequest: Sendable {
    /// In upper case.
    package var method: String
    /// Includes the port unless it is the scheme's default.
    package var host: String
    /// Percent-encoded, beginning with `/`, without the query.
    package var path: String
    /// Percent-encoded, without the `?`; empty if there is none.
    package var query: String
    /// All fields except `Host`.
    package var headers: HTTPFields

    package init(method: String, host: String, path: String, query: String = "", headers: HTTPFields = [:]) {
        self.method = method
        self.host = host
        self.path = path
        self.query = query
        self.headers = headers
    }
}
