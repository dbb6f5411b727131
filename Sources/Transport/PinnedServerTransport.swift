/// Sends the requests to one server over a transport that checks its public key, and all others over another.
package struct PinnedServerTransport: ClosableTransport {
    private let server: String
    private let pinned: any ClosableTransport
    private let others: any ClosableTransport

    /// - Parameter server: A URL of the server; its path is ignored.
    package init(server: String, pinned: any ClosableTransport, others: any ClosableTransport) {
        self.server = Self.origin(of: server)
        (self.pinned, self.others) = (pinned, others)
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await (Self.origin(of: request.url) == server ? pinned : others).send(request)
    }

    package func shutdown() async throws(TransportError) {
        let failure: TransportError?
        do throws(TransportError) {
            try await pinned.shutdown()
            failure = nil
        } catch {
            failure = error
        }
        try await others.shutdown()
        if let failure { throw failure }
    }

    /// Returns scheme, host and port in lower case, without the default port of `https`.
    private static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        let origin = parts.joined(separator: "/").prefix { $0 != "?" }.lowercased()
        return origin.hasPrefix("https://") && origin.hasSuffix(":443") ? String(origin.dropLast(4)) : origin
    }
}
