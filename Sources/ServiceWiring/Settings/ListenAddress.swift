import NIOCore
import Transport

/// The address of a listener.
package struct ListenAddress: Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`; an IPv6 host is in brackets. `localhost` is always 127.0.0.1, without a lookup.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: host.lowercased() == "localhost" ? "127.0.0.1" : String(host), port: Int(port))
    }

    /// Whether the address is reachable only from this machine. `false` for host names, which resolve elsewhere.
    var isLoopback: Bool {
        switch try? SocketAddress(ipAddress: host, port: port) {
        case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr) { $0[0] == 127 }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let zeros = [UInt8](repeating: 0, count: 10)
            return bytes == zeros + [0, 0, 0, 0, 0, 1] || bytes.starts(with: zeros + [0xff, 0xff, 127])
        default: return false
        }
    }

    /// Whether the host is one IP address, not a name and not all addresses of this machine.
    var isSpecific: Bool {
        IPAddress(host).map { $0.value != 0 } ?? false
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
