import HTTPTypes
import Hummingbird
import NIOCore
import Transport

/// Determines the client address of a request.
package struct ClientAddress: Sendable {
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) { self.trustedProxies = trustedProxies }

    /// Returns the nearest address that is not a trusted proxy. Reads `X-Forwarded-For` from its end, and only as far
    /// as trusted proxies wrote it.
    func resolve(_ request: Request, _ context: ServerContext) -> IPAddress? {
        resolve(context.peer, request.headers)
    }

    /// Returns the client address for a connection's peer and a request's headers.
    package func resolve(_ peer: SocketAddress?, _ headers: HTTPFields) -> IPAddress? {
        guard var address = IPAddress(peer) else { return nil }
        guard isTrusted(address), let name = Self.forwardedFor else { return address }
        var hops = headers[values: name].joined(separator: ",").split(separator: ",")
            .map { $0.trimmingPrefix { $0 == " " } }
        while isTrusted(address), let hop = hops.popLast() {
            // Malformed text identifies no client; the limits then apply to the proxy.
            guard let written = IPAddress(writtenByProxy: hop.prefix { $0 != " " }) else { break }
            address = written
        }
        return address
    }

    /// Returns whether an address belongs to a trusted proxy.
    @Sendable package func isTrusted(_ address: SocketAddress) -> Bool { IPAddress(address).map(isTrusted) ?? false }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
}
