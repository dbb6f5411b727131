import HTTPTypes
import NIOCore

/// The hosts that a listener answers for. A page of another site can have its own name resolve to this machine (DNS
/// rebinding); its requests then name that site in `Host`.
package struct ServedHosts: Sendable, Equatable {
    /// In lower case, without a port; `nil` serves every host.
    private let names: [String]?

    /// Every host.
    package static let any = ServedHosts(names: nil)

    private init(names: [String]?) { self.names = names }

    /// Loopback's addresses, `localhost` and the names below it, and the hosts of these addresses of ours.
    /// - Parameter urls: `http` or `https` URLs.
    package static func loopback(and urls: [String]) -> ServedHosts {
        ServedHosts(
            names: urls.map { url in
                let rest = url.drop { $0 != ":" }.drop { $0 == ":" || $0 == "/" }
                return host(of: String(rest.prefix { $0 != "/" }))
            })
    }

    /// - Parameter authority: `Host` as it was sent, `HOST` or `HOST:PORT`. The port does not count.
    package func contains(_ authority: String) -> Bool {
        guard let names else { return true }
        let host = Self.host(of: authority)
        return names.contains(host) || Self.isLoopback(host)
    }

    private static func host(of authority: String) -> String {
        var host = authority.lowercased()[...]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.count(where: { $0 == ":" }) == 1 {
            host = host.prefix { $0 != ":" }
        }
        // A name may be written to the root.
        return String(host.hasSuffix(".") ? host.dropLast() : host)
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
    /// Whether the request names a host that is served here. HTTP/1.0 may name none.
    package func names(oneOf hosts: ServedHosts) -> Bool { authority.map(hosts.contains) ?? false }
}
