import HTTPTypes
import Hummingbird
import NIOCore
import Transport

/// Where a request really came from.
package struct ClientAddress: Sendable {
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) { self.trustedProxies = trustedProxies }

    /// The nearest address that is not a trusted proxy's: `X-Forwarded-For` is read from its end, and only as far as
    /// proxies that we trust wrote it.
    func resolve(_ request: Request, _ context: ServerContext) -> IPAddress? {
        resolve(context.channel.remoteAddress, request.headers)
    }

    /// The same from a connection's peer and a request's headers.
    package func resolve(_ peer: SocketAddress?, _ headers: HTTPFields) -> IPAddress? {
        guard var address = IPAddress(peer) else { return nil }
        guard isTrusted(address), let name = Self.forwardedFor else { return address }
        var hops = headers[values: name].joined(separator: ",").split(separator: ",")
            .map { $0.trimmingPrefix { $0 == " " } }
        while isTrusted(address), let hop = hops.popLast() {
            // Text that is no address says nothing: then it is the proxy that is limited.
            guard let written = IPAddress(writtenByProxy: hop.prefix { $0 != " " }) else { break }
            address = written
        }
        return address
    }

    /// Whether an address is one of the proxies'.
    @Sendable package func isTrusted(_ address: SocketAddress) -> Bool { IPAddress(address).map(isTrusted) ?? false }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
}
