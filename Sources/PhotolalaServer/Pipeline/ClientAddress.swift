import HTTPTypes
import Hummingbird

/// Where a request really came from.
struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]

    /// The nearest address that is not a trusted proxy's: `X-Forwarded-For` is read from its end, and only as far as
    /// proxies that we trust wrote it.
    func resolve(_ request: Request, _ context: ServerContext) -> String {
        var address = context.peer?.ipAddress ?? "unknown"
        guard !trustedProxies.isEmpty, let name = HTTPField.Name("X-Forwarded-For") else { return address }
        var hops = request.headers[values: name].joined(separator: ",").split(separator: ",")
            .map { $0.trimmingPrefix { $0 == " " } }
        while trustedProxies.contains(where: { $0.contains(address) }), let hop = hops.popLast() {
            // Text that is no address says nothing: then it is the proxy that is limited.
            guard let written = AddressRange.address(writtenAs: hop.prefix { $0 != " " }) else { break }
            address = written
        }
        return address
    }
}
