import HTTPTypes
import NIOCore

/// The host names that a listener serves. With DNS rebinding, the page of another site can make its own host name
/// resolve to this machine; its requests then have that name in `Host`.
package struct AllowedHosts: Sendable, Equatable {
    /// Lower-case names without a port; `nil` serves every host.
    private let names: [String]?
    /// Whether every IP address is served. A page of another site cannot send one in `Host` with its own name.
    private let servesAddresses: Bool

    /// Serves every host.
    package static let any = AllowedHosts(names: nil)

    private init(names: [String]?, servesAddresses: Bool = false) {
        (self.names, self.servesAddresses) = (names, servesAddresses)
    }

    /// Serves every IP address, `localhost` and its subdomains, and the given host names.
    package static func addresses(and names: [String]) -> AllowedHosts {
        AllowedHosts(names: names.map { $0.lowercased() }, servesAddresses: true)
    }

    /// Serves loopback addresses, `localhost` and its subdomains, and the hosts of the given URLs.
    /// - Parameter urls: `http` or `https` URLs.
    package static func loopback(and urls: [String]) -> AllowedHosts {
        AllowedHosts(
            names: urls.map { url in
                let remainder = url.drop { $0 != ":" }.drop { $0 == ":" || $0 == "/" }
                return host(of: String(remainder.prefix { $0 != "/" }))
            })
    }

    /// - Parameter authority: The value of `Host`, `HOST` or `HOST:PORT`. The port is ignored.
    package func contains(_ authority: String) -> Bool {
        guard let names else { return true }
        let host = Self.host(of: authority)
        return names.contains(host) || Self.isLoopback(host)
            || servesAddresses && (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }

    private static func host(of authority: String) -> String {
        // Over bytes: characters of a text cost ten times as much.
        let text = authority.lowercased()
        var host = text.utf8[...]
        if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")),
            isPort(host[end...].dropFirst())
        {
            host = host[..<end].dropFirst()
        } else if host.count(where: { $0 == UInt8(ascii: ":") }) == 1,
            let colon = host.firstIndex(of: UInt8(ascii: ":")),
            isPort(host[colon...])
        {
            host = host[..<colon]
        }
        // A host name may have a trailing dot.
        return String(Substring(host.last == UInt8(ascii: ".") ? host.dropLast() : host))
    }

    /// Returns whether what follows a host is nothing, or a port.
    private static func isPort(_ rest: Substring.UTF8View) -> Bool {
        rest.isEmpty
            || rest.first == UInt8(ascii: ":")
                && rest.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        switch try? SocketAddress(ipAddress: host, port: 0) {
        case .v4: return host.hasPrefix("127.")
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        default: return false
        }
    }
}

extension HTTPRequest {
    /// Returns whether the request names a host in `hosts`. HTTP/1.0 requests may name none.
    package func isAddressed(oneOf hosts: AllowedHosts) -> Bool { authority.map(hosts.contains) ?? false }
}
