import NIOCore

/// Where a listener is bound.
struct ListenAddress: Equatable, CustomStringConvertible {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`; an IPv6 host stands in brackets. `localhost` is 127.0.0.1, whatever the machine's tables say.
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

    /// Reachable from this machine only. A name is not: who it stands for is decided elsewhere.
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

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
